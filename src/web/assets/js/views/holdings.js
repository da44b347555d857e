/** What this browser keeps: of each match its tokens, what was typed and not sent, and its pages as they were told last. */
import * as db from "../db.js";
import { emptyDraft } from "../draft.js";
import { counted, t } from "../i18n.js";
import { forget, keys } from "../keys.js";
import { read } from "../service.js";
import { letGo, queueOf, take } from "../sending.js";
import { keepSetting, setting } from "../settings.js";
import { whenOf } from "../parts/names.js";
import { recalled } from "./recalling.js";

/**
 * @typedef {object} Holding
 * @property {string} id
 * @property {string} title
 * @property {string} what What is kept, in words.
 * @property {string} warning What is lost where it is forgotten.
 * @property {() => Promise<unknown>} forget
 */

/** The matches that the service knows of these, by their ids; none without a connection. @param {string[]} ids @param {AbortSignal} signal */
const known = async (ids, signal) => {
  const pages = [];
  for (let from = 0; from < ids.length; from += MOST) pages.push(ids.slice(from, from + MOST));
  const reading = pages.map((id) => read("/v1/matches", { query: { id, limit: MOST }, signal }));
  const found = await Promise.all(reading).catch(() => []);
  return new Map(found.flatMap(({ matches }) => matches.map((match) => [match.id, match])));
};
/** The most matches of a page of the API. */
const MOST = 100;

/** The matches of which something is kept, the newest first; then the sides and the key of the table. @param {AbortSignal} signal @returns {Promise<Holding[]>} */
export const keptHere = async (signal) => {
  const [held, entries, drafts, sides = [], admin, seen] = await Promise.all([
    keys(),
    db.all("entries"),
    db.all("drafts"),
    setting("sides"),
    db.get("settings", "admin"),
    recalled(({ keptMatches }) => keptMatches()),
  ]);
  const typed = drafts.filter(({ answers }) => answers?.length > 0);
  const all = new Set(
    [...held, ...entries, ...typed].map(({ match }) => match).concat([...(seen?.keys() ?? [])]),
  );
  const ids = [...all].sort().reverse();
  const told = await known(ids, signal);
  const matches = ids.map((id) => {
    const match = told.get(id);
    const key = held.find((key) => key.match === id);
    const view = seen?.get(id);
    const names = match
      ? { home: match.home, away: match.away }
      : view && { home: view.home.name, away: view.away.name };
    const unsent = [...entries, ...typed].filter((row) => row.match === id).length;
    const { scorer, replaced, others, invites, invite, untried, made } = key ?? {};
    const isLast = scorer || replaced || others || invites || invite || untried || made;
    const has = [
      key?.scorer
        ? t("settings.scores")
        : key?.replaced
          ? t("settings.replaced")
          : isLast
            ? t("settings.right")
            : "",
      unsent > 0 ? counted("settings.unsent", unsent) : "",
      match ? whenOf(new Date(match.last_at)) : "",
    ];
    return {
      id,
      title: names ? t("row.sides", names) : t("settings.match", { id: id.slice(0, 8) }),
      what: has.filter(Boolean).join(" · ") || t("settings.pages"),
      warning: [unsent > 0 ? t("settings.lost.unsent") : "", isLast ? t("settings.lost.token") : ""]
        .filter(Boolean)
        .join(" "),
      forget: async () => {
        await recalled(({ forgetMatch }) => forgetMatch(id));
        await forgetTyped(id);
        await forget(id);
      },
    };
  });
  return [...matches, ...besides(sides, admin !== undefined)];
};

/** Forgets what was typed in a match, also where its pad goes on. @param {string} match */
const forgetTyped = async (match) => {
  const queue = queueOf(match);
  letGo(queue);
  await queue.written;
  await take(queue, () => ({ entries: [], draft: emptyDraft(match) }));
  queue.stop = null;
  await db.drop("drafts", match);
};

/** What is kept besides matches. @param {import("../squads.js").SideDraft[]} sides @param {boolean} hasKey @returns {Holding[]} */
const besides = (sides, hasKey) => [
  ...sides.map((side, place) => ({
    id: `side-${place}`,
    title: side.name,
    what: t("settings.side"),
    warning: "",
    forget: async () =>
      keepSetting(
        "sides",
        ((await setting("sides")) ?? []).filter(({ name }) => name !== side.name),
      ),
  })),
  ...(hasKey
    ? [
        {
          id: "admin",
          title: t("settings.key"),
          what: t("settings.key.text"),
          warning: t("settings.lost.key"),
          forget: () => db.drop("settings", "admin"),
        },
      ]
    : []),
];
