/** A match that plays itself, for whoever wants to see one: at most one a browser. */
import { read, Refused, send } from "./service.js";
import { keyOf } from "./keys.js";
import { must } from "./must.js";
import { t } from "./i18n.js";
import { optionsOf } from "./options.js";
import { after, endedBy } from "./signal.js";
import { keepSetting, setting } from "./settings.js";

/** @typedef {import("./service.js").Schemas["GameEntry"]} GameEntry */
/** @typedef {import("./options.js").GameId} GameId */

/** How long a ball of the trial stands before the next one, and after how long without one nobody watches it. */
const BALL = 1500;
const LEFT = 20_000;
const AUTOPLAY = "/v1/matches/{id}/autoplay";
const NAMES = [
  "Marsh",
  "Okoro",
  "Lindt",
  "Patel",
  "Fox",
  "Brody",
  "Hale",
  "Sato",
  "Kral",
  "Penn",
  "Rowe",
  "Mills",
  "Osei",
  "Voss",
  "Adeyemi",
  "Quinn",
  "Berg",
  "Rossi",
  "Daly",
  "Nair",
  "Vega",
  "Ward",
  "Iyer",
  "Stone",
  "Frost",
  "Amin",
];

/** Creates the trial, and returns its id. @param {AbortSignal} signal @returns {Promise<string>} */
export const begin = async (signal) => {
  const running = await setting("trial");
  if (running && (await isOn(running, signal).catch(() => false))) return running;
  const { games } = await read("/v1/games", { signal });
  const game = must(games.find((one) => !one.sheet.card && !one.nameless) ?? games[0], "a game");
  /** @type {import("./service.js").Sent<"/v1/matches">} */
  const body = {
    game: /** @type {GameId} */ (game.id),
    dice: "seeded",
    rules: shortest(game),
    home: side("trial.home", 0, game),
    away: side("trial.away", 1, game),
  };
  const { create } = await import("./creating.js");
  const id = await create(body, signal, { trial: true });
  await keepSetting("trial_at", Date.now());
  await keepSetting("trial", id);
  return id;
};

/** @param {string} id @param {AbortSignal} signal */
const isOn = async (id, signal) => {
  const { status } = await read("/v1/matches/{id}", { of: { id }, signal });
  return ["created", "in_play"].includes(status);
};

/** Plays this browser's trial to its end where nobody watches it any more: its tab was killed, or had no connection. @param {AbortSignal} signal */
export const endLeft = async (signal) => {
  const id = await setting("trial");
  const key = id ? await keyOf(id) : undefined;
  if (!id || !key?.trial || Math.abs(Date.now() - ((await setting("trial_at")) ?? 0)) < LEFT) return;
  try {
    if (await isOn(id, signal))
      await send(AUTOPLAY, { of: { id }, body: { until: "match" }, token: key.scorer, signal });
  } catch (error) {
    // The next visit tries again, unless the service knows better.
    if (!(error instanceof Refused) || error.isPassing) return;
  }
  if ((await setting("trial")) === id) await keepSetting("trial", "");
};

/** A few overs are enough to see one. @param {GameEntry} game */
const shortest = (game) => {
  const overs = optionsOf(game).properties?.["overs"];
  return overs ? { overs: Math.max(overs.minimum ?? 1, 5) } : {};
};

/** @param {string} name @param {number} place @param {GameEntry} game */
const side = (name, place, game) => ({
  name: t(name),
  players: NAMES.slice(place * 13, place * 13 + game.players),
});

/** Plays the trial on, a ball at a time; on leaving, one request plays it to its end. @param {string} id @param {AbortSignal} signal */
export const playOn = async (id, signal) => {
  const key = await keyOf(id);
  if (!key?.trial || !key.scorer || signal.aborted) return;
  const of = { id };
  const token = key.scorer;
  const leaving = endedBy(signal);
  const leave = () => {
    leaving.abort();
    void send(AUTOPLAY, {
      of,
      body: { until: "match" },
      token,
      keepalive: true,
      signal: new AbortController().signal,
    }).catch(() => {});
  };
  addEventListener("pagehide", leave, { signal: leaving.signal });
  signal.addEventListener("abort", leave, { once: true, signal: leaving.signal });
  const ball = async () => {
    const sent = send(AUTOPLAY, { of, body: { until: "ball" }, token, signal: leaving.signal });
    const answer = await sent.catch((error) => error);
    // What the service refuses for good, as a match that is over, is not asked again.
    if (answer instanceof Refused && !answer.isPassing) return leaving.abort();
    if (answer instanceof Error) return void after(4 * BALL, () => void ball(), leaving.signal);
    await keepSetting("trial_at", Date.now());
    if ((answer.next.requests ?? []).length > 0) after(BALL, () => void ball(), leaving.signal);
    else leaving.abort();
  };
  after(BALL, () => void ball(), leaving.signal);
};
