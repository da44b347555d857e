/** The page of a new match: what a person can do there, and its start. */
import {
  bodyOf,
  changeGame,
  emptyMatch,
  gameOf,
  optionWords,
  playing,
  sidesToKeep,
  takeSame,
  withEdition,
  withOption,
} from "../fresh.js";
import { Faulty, takeIn } from "../editions.js";
import { t } from "../i18n.js";
import { adminKey, keepAdminKey } from "../keys.js";
import { must } from "../must.js";
import { onceDrawn, owe, redraw } from "../owed.js";
import { about, read, Refused } from "../service.js";
import { keepSetting, setting } from "../settings.js";
import { after } from "../signal.js";
import { keepSides, keptSides, playedBy, playedSides, writeSides } from "../squads.js";
import { go } from "./go.js";
import { sentence } from "./nowhere.js";
import { draw } from "./new_form.js";
import { faultWords } from "./side_sheet.js";

/** @typedef {import("../fresh.js").Fresh} Fresh */
/** @typedef {import("../squads.js").PlayedSide} PlayedSide */
/** @typedef {import("../squads.js").Side} Side */
/** @typedef {import("../squads.js").SideDraft} SideDraft */
/** @typedef {ReturnType<typeof wishesOf> & ReturnType<typeof wishesOfSides> & { start: () => void }} Wishes */

/** What makes the match and its token: a script that is loaded ahead. */
const creating = () => import("../creating.js");

/** @param {string} _id @param {AbortSignal} signal */
export const fresh = (_id, signal) => {
  const state = emptyMatch();
  void owe(load(state, signal));
  const wishes = {
    ...wishesOf(state, signal),
    ...wishesOfSides(state, signal),
    start: () => {
      if (gameOf(state) && !state.busy) void owe(start(state, signal));
    },
  };
  return { title: () => t("new"), render: () => draw(state, wishes), ahead: [creating] };
};

/** How long after a read in vain the games are read again. */
const AGAIN = 5000;

/** Reads what can be chosen. Nothing is chosen before all of it is there, so that a read that is made again takes nothing away. @param {Fresh} state @param {AbortSignal} signal */
const load = async (state, signal) => {
  try {
    const [{ games }, { create, table }] = await Promise.all([read("/v1/games", { signal }), about()]);
    const query = new URLSearchParams(location.search);
    const before = (await setting("new")) ?? {};
    const needsKey = create === "token" && !(await adminKey());
    const again = query.get("again");
    const same = again && again !== before["match"] ? await sameAs(again, signal) : null;
    Object.assign(state, before, { games, kept: await keptSides(), needsKey, errors: {}, isTable: !!table });
    if (same instanceof Refused) state.errors = { page: same.message };
    else if (same) takeSame(state, same);
    const wanted = query.get("game") ?? state.game;
    changeGame(state, must(games.find(({ id }) => id === wanted) ?? games[0], "a game"));
    if (state.game !== before["game"] && !again) state.rules = {};
  } catch (error) {
    if (signal.aborted) return;
    state.errors = { page: sentence(error) };
    const isPassing = !(error instanceof Refused) || error.isPassing;
    if (isPassing) after(AGAIN, () => void owe(load(state, signal)), signal);
  }
  redraw();
};

/** The match that is to be played again, or why the service does not tell it. @param {string} id @param {AbortSignal} signal */
const sameAs = (id, signal) =>
  read("/v1/matches/{id}", { of: { id }, signal }).catch((error) => {
    if (error instanceof Refused && !error.isPassing) return error;
    throw error;
  });

/** @param {Fresh} state @param {Partial<Fresh>} values */
const change = (state, values) => {
  Object.assign(state, values);
  redraw();
};

/** The wishes of the form. @param {Fresh} state @param {AbortSignal} signal */
const wishesOf = (state, signal) => ({
  /** @param {string} edition */
  edition: (edition) => change(state, withEdition(state, edition)),
  /** @param {File} file */
  takeIn: (file) => void owe(takesIn(state, file, signal)),
  /** @param {Fresh["dice"]} dice */
  dice: (dice) => change(state, { dice }),
  /** @param {string} key */
  key: (key) => change(state, { key }),
  /** @param {string} id */
  game: (id) => {
    changeGame(
      state,
      must(
        state.games.find((game) => game.id === id),
        "a game",
      ),
    );
    change(state, { rules: {}, errors: {}, faults: [], played: null });
  },
  /** @param {string} name @param {unknown} value */
  option: (name, value) => change(state, withOption(state, name, value)),
  /** @param {Side} side */
  open: (side) => {
    const { name, text, team } = state.sides[side];
    change(state, { open: { side, listsFirst: !name.trim() && !text.trim() && team === null } });
  },
});

/** An edition is taken in, and chosen. @param {Fresh} state @param {File} file @param {AbortSignal} signal */
const takesIn = async (state, file, signal) => {
  change(state, { faults: [], errors: {} });
  try {
    if (state.key) await keepAdminKey(state.key);
    const tooLarge = (/** @type {number} */ n) => t("edition.large", { n: n.toLocaleString("en-GB") });
    const { sha256 } = await takeIn(file, tooLarge, signal);
    const { games } = await read("/v1/games", { signal });
    change(state, { games, ...withEdition({ ...state, games }, sha256) });
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof Faulty) change(state, { faults: error.faults });
    else show(state, errorsOf(state, error));
  }
};

/** The wishes of the sheets of sides. @param {Fresh} state @param {AbortSignal} signal */
const wishesOfSides = (state, signal) => {
  const close = () => change(state, { open: null });
  const set = (/** @type {SideDraft} */ draft) => {
    if (state.open) change(state, { errors: {}, sides: { ...state.sides, [state.open.side]: draft } });
  };
  const take = (/** @type {SideDraft} */ draft) => {
    set(draft);
    close();
  };
  const ask = (/** @type {Promise<void>} */ asked) =>
    void owe(
      asked.catch((error) => {
        if (!signal.aborted) change(state, { open: null, errors: { page: sentence(error) } });
      }),
    );
  const findPlayed = async () => {
    const played = await playedSides(must(gameOf(state), "a game"), state.games, signal);
    change(state, { played });
  };
  const write = (/** @type {SideDraft[]} */ kept) => {
    change(state, { kept, edited: null });
    void owe(writeSides(kept));
  };
  // A side without a name would not be found again.
  const named = (/** @type {SideDraft} */ kept) => ({
    ...kept,
    name: kept.name.trim() || t("side.default.home"),
  });
  return {
    close,
    take,
    /** @param {(draft: SideDraft) => SideDraft} act */
    side: (act) => {
      if (state.open) set(act(state.sides[state.open.side]));
    },
    findPlayed: () => ask(findPlayed()),
    /** @param {PlayedSide} played */
    takePlayed: (played) => {
      const side = state.open?.side;
      if (!side) return;
      // It goes to the side whose sheet was open, whichever is open by then.
      const draw = (/** @type {SideDraft} */ draft) =>
        change(state, {
          errors: {},
          sides: { ...state.sides, [side]: draft },
          open: state.open?.side === side ? null : state.open,
        });
      ask(playedBy(played, signal).then(draw));
    },
    /** @param {SideDraft} kept */
    edit: (kept) => change(state, { edited: state.kept.indexOf(kept) }),
    /** @param {(draft: SideDraft) => SideDraft} act */
    keptSide: (act) =>
      change(state, { kept: state.kept.map((kept, at) => (at === state.edited ? act(kept) : kept)) }),
    dropKept: () => write(state.kept.filter((_, at) => at !== state.edited)),
    closeKept: () => write(state.kept.map(named)),
  };
};

/** @param {Fresh} state @param {AbortSignal} signal */
const start = async (state, signal) => {
  const game = must(gameOf(state), "a game");
  const wrong = /** @type {Side[]} */ (["home", "away"]).flatMap((side) => {
    const message = faultWords(state.sides[side], game);
    return message ? [[side, t("new.wrong", { side: playing(state, side).name, message })]] : [];
  });
  if (wrong.length > 0) return show(state, Object.fromEntries(wrong));
  change(state, { busy: true, errors: {} });
  try {
    if (state.key) await keepAdminKey(state.key);
    const { create } = await creating();
    const match = await create(bodyOf(state, game), signal);
    await keepSides(sidesToKeep(state));
    const { dice, edition, rules, sides } = state;
    await keepSetting("new", { game: game.id, dice, edition, rules, sides, match });
    go(`/m/${match}/score`);
  } catch (error) {
    show(state, errorsOf(state, error));
  }
};

/** Shows what is wrong: it may stand below the button, or under options that were folded away. @param {Fresh} state @param {Record<string, string>} errors */
const show = (state, errors) => {
  change(state, { errors, busy: false, needsKey: state.needsKey || "key" in errors });
  onceDrawn(() => document.querySelector(".wrong, [role=alert]")?.scrollIntoView({ block: "center" }));
};

/** Each error of a problem, at the field that it is about. @param {Fresh} state @param {unknown} error @returns {Record<string, string>} */
const errorsOf = (state, error) => {
  if (!(error instanceof Refused)) return { page: t("match.away") };
  if (error.isOfToken) return { key: t(state.isTable ? "new.key.wrong.table" : "new.key.wrong") };
  const placed = (error.problem.errors ?? []).map(({ location, message }) => {
    const [, first = "page", second = "", place] =
      /^body\.(\w+)(?:\.(\w+)(?:\[(\d+)\])?)?/.exec(location) ?? [];
    if (first === "rules") return [second, optionWords(state, second, message)];
    if (first !== "home" && first !== "away") return [first, message];
    const side = playing(state, first).name;
    return [
      first,
      place
        ? t("new.wrong.line", { side, line: Number(place) + 1, message })
        : t("new.wrong", { side, message }),
    ];
  });
  return placed.length > 0 ? Object.fromEntries(placed.reverse()) : { page: error.message };
};
