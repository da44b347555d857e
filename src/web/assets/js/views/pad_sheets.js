/** The sheets of the pad: a choice that has a default, why a ball is taken back, more, what is kept. */
import { html, nothing } from "../html.js";
import { counted, ordered, t } from "../i18n.js";
import { cellOf } from "../parts/book.js";
import { calledBy, kindOf, numbersOf, valueWords } from "../kinds.js";
import * as lists from "../parts/lists.js";
import { notBuilt, told } from "../parts/not_built.js";
import { sheet } from "../parts/sheet.js";
import { choiceKeys } from "../parts/keypad.js";
import { dice } from "../parts/dice.js";
import { looks, wish } from "../looks.js";
import { focusSoon, owe } from "../owed.js";
import { ballWords, timeOf, wordOf } from "../parts/names.js";
import { lastBall } from "../following.js";
import { asked } from "../draft.js";
import { cellsOf, draftOf, isOver, offeredOf, requestsOf } from "../match.js";
import * as scoring from "../scoring.js";
import { abandon, correct, sendCorrection } from "../stopping.js";
import { earlierSheet } from "./earlier.js";
import { sinceOf } from "./recalling.js";
import { go } from "./go.js";
import { rulesSheet } from "./rules.js";
import { offerOf } from "./scripts.js";
import { hasDealt } from "./stepping.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("../service.js").Schemas["DeliveryCell"]} DeliveryCell */
/**
 * @typedef {{kind: "ask", at: string, taken: unknown[] | null} | {kind: "correct", reason: string | null, own: string}
 *   | {kind: "bring"} | {kind: "abandon"} | {kind: "rules", of: import("./rules.js").Asked[]} | {kind: "earlier"} | {kind: "more"} | {kind: "sync"} | {kind: "ball", ball: DeliveryCell, at: string, text: string, dice: import("../parts/dice.js").Shown[]}} Sheet
 */

/** @typedef {typeof import("./pad_later.js").steps} Steps */

/** What has to be answered now, as a choice without a default. @param {Pad["match"]} match @param {string} at */
const dueAt = (match, at) => {
  const due = asked(requestsOf(match) ?? []);
  return due?.ask.at === at
    ? { operation: due.request.operation, ask: due.ask, value: due.ask.default }
    : undefined;
};

/** A choice with a default, or what is asked now. @param {Pad} state @param {Extract<Sheet, {kind: "ask"}>} open @param {Verbs} verbs @param {Steps} steps What draws names on places, which is a script of its own. */
const askSheet = ({ match }, open, verbs, steps) => {
  const due = dueAt(match, open.at);
  const cell = due ?? cellsOf(match).find(({ ask }) => ask.at === open.at);
  if (!cell) return nothing;
  const { ask, operation, value: chosen } = cell;
  const request = (offeredOf(match) ?? []).find((request) => request.operation === operation);
  const elsewhere = () =>
    notBuilt({
      title: ask.title,
      at: ask.at,
      request: `POST ${request?.path ?? ""}`,
      body: request?.body,
    });
  const send = {
    take: (/** @type {unknown[]} */ taken) => verbs.sheet({ ...open, taken }),
    choose: (/** @type {unknown} */ value) => {
      if (due) verbs.choose(value);
      else scoring.choose(match, operation, ask.at, value);
      verbs.close();
    },
  };
  /** @type {import("../kinds.js").Lists["placesList"]} */
  const placesList = (data, { take, choose }) => {
    // The row that was tapped is there no more: what is asked next has the focus, with all places in sight.
    const taking = (/** @type {unknown[]} */ taken) => {
      take(taken);
      focusSoon("#standing");
    };
    return steps.draw(({ fieldList }) => fieldList(data, { take: taking, choose }));
  };
  const body = kindOf(ask).sheet(
    { ...lists, placesList },
    { ask, chosen, taken: open.taken, elsewhere },
    send,
  );
  return sheet({ title: ask.title, key: `ask-${ask.at}`, body }, verbs);
};

/** Why the last ball is taken back, or the toss before the first one. @param {Pad} state @param {Extract<Sheet, {kind: "correct"}>} open @param {Verbs} verbs */
const correctSheet = (state, open, verbs) => {
  const { match } = state;
  const last = lastBall(match);
  if (!last && !match.view?.situation && match.view?.status !== "abandoned")
    return bringSheet(state, open, verbs);
  // An over that has begun without a ball.
  const { bowler, over } = match.view?.situation ?? {};
  const begun = bowler && over?.deliveries.length === 0 ? ` ${t("correct.over")}` : "";
  const of = match.view?.status === "abandoned" ? "correct.abandoned" : last ? null : "correct.toss";
  const text = of ? t(`${of}.text`) : ordered(last?.text ?? "");
  const what = of ? t(of) : last ? ballWords(last) : "";
  return sheet(
    {
      title: t(of ? `${of}.title` : "correct"),
      key: "correct",
      body: html`${lists.reasonBody(
        {
          text: text + begun,
          reason: open.reason,
          own: open.own,
          words: t("correct.confirm", { what }),
        },
        {
          reason: (reason) => {
            verbs.sheet({ ...open, reason });
            // The field comes with the next drawing.
            if (reason === "other") focusSoon("#own-words");
          },
          own: (own) => verbs.sheet({ ...open, own }),
          confirm: () => {
            correct(match, open.reason === "other" ? open.own.trim() : t(`reason.${open.reason}`));
            verbs.close();
          },
        },
      )}${bringKey(match, verbs)}`,
    },
    verbs,
  );
};

/** What can be brought back here: nothing while a ball is typed or kept. In a remote match the sides decide. @param {Pad["match"]} match */
const broughtOf = (match) => {
  const isFree = !draftOf(match).request && match.queue.entries.length === 0;
  return isFree && !match.view?.remote ? offerOf(match) : null;
};

/** The key that shows what would come back. @param {Pad["match"]} match @param {Verbs} verbs */
const bringKey = (match, verbs) => {
  const words = broughtOf(match)?.words;
  return words
    ? html`<div class="actions"><p class="small quiet">${t("bring.last")}</p><button type="button" class="button other low" data-action="bring" @click=${() => verbs.sheet({ kind: "bring" })}>${words}</button></div>`
    : nothing;
};

/** What would come back. @param {Pad} state @param {unknown} _ @param {Verbs} verbs */
const bringSheet = ({ match }, _, verbs) => {
  const offer = broughtOf(match);
  const bring = () => {
    if (offer) sendCorrection(match, offer.body, t("brought"));
    verbs.close();
  };
  const body = offer
    ? html`<p class="block" data-bring dir="auto">${offer.sentence}</p>
      <div class="actions"><button type="button" class="button" data-action="confirm" @click=${bring}>${offer.words}</button></div>`
    : html`<p class="block">${t("bring.gone")}</p>`;
  return sheet({ title: t("bring.title"), key: "bring", body }, verbs);
};

/** A choice with what stands for it: `Bowl: Seamer`. @param {import("../match.js").Now["cells"][number]} cell */
const choiceWords = ({ ask, value }) => {
  const { title } = ask;
  if (value === undefined || value === null || ask.places) return title;
  return t(title.endsWith("?") ? "more.answer" : "more.stands", {
    title,
    value: valueWords(ask, value, t("more.none")),
  });
};

/** A field for the answers comes or goes. @param {Verbs} verbs */
const typeOrTap = async (verbs) => {
  const isTyped = looks().answers === "typed";
  await wish("answers", isTyped ? undefined : "typed");
  verbs.close();
  if (!isTyped) verbs.type();
};

/** What is not needed for each ball. @param {Pad} state @param {unknown} _ @param {Verbs} verbs */
const moreSheet = ({ match, secret }, _, verbs) => {
  const rest = cellsOf(match).filter(({ ask }) => cellOf(ask) === null);
  const secrets = (offeredOf(match) ?? []).filter(({ secret }) => secret);
  const isDealt = hasDealt(match);
  const isLaid = (/** @type {typeof rest[number]} */ { ask, operation }) =>
    operation === "begin_over" && numbersOf(ask).length > 0;
  const choices = rest
    // Dealt cubes are laid under the cover.
    .filter((cell) => !isLaid(cell) && !(isDealt && cell.operation === "begin_over"))
    .map((cell) => ({ words: choiceWords(cell), action: `ask:${cell.ask.at}` }));
  const actions = [
    ...((rest.some(isLaid) || isDealt) && match.token && !secret && !match.queue.draft.request
      ? [{ words: t(isDealt ? "orders.dealt" : "orders.lay"), action: "lay" }]
      : []),
    ...(isOver(match) ? [] : choices),
    { words: t("share"), action: "share" },
    { words: t("board.go"), action: "board", href: `/m/${match.id}/board` },
    {
      words: t("end.log"),
      action: "log",
      href: `/v1/matches/${match.id}/log`,
      download: `${match.id}.ndjson`,
    },
    ...(match.token && !isOver(match)
      ? [{ words: t(looks().answers === "typed" ? "answers.tap" : "answers.type"), action: "type" }]
      : []),
    { words: t("details"), action: "details", href: `/m/${match.id}/details` },
    { words: t("settings"), action: "settings", href: `/settings?match=${match.id}` },
    ...(match.token && !isOver(match) ? [{ words: t("abandon"), action: "abandon" }] : []),
    { words: t("home.go"), action: "home", href: "/" },
  ];
  const act = (/** @type {string} */ action) => {
    if (action.startsWith("ask:")) return verbs.open(action.slice(4));
    if (action === "share") return verbs.share();
    if (action === "abandon") return verbs.sheet({ kind: "abandon" });
    if (action === "home") return go("/");
    if (action === "type") return void owe(typeOrTap(verbs));
    verbs.lay();
  };
  return sheet(
    {
      title: t("more"),
      key: "more",
      body: html`${lists.actionList(actions, { act })}
      ${isDealt ? nothing : secrets.map(told)}
      <p class="block small quiet">${t("hint.screen")}</p>`,
    },
    verbs,
  );
};

/** What is kept here, and since when. @param {Pad} state @param {unknown} _ @param {Verbs} verbs */
const syncSheet = ({ match }, _, verbs) => {
  const { entries: kept, nextTry, draft } = match.queue;
  const { answers } = draft;
  const typed = answers.length;
  return sheet(
    {
      title: t("sync"),
      key: "sync",
      body: html`<div class="block"><p>${match.isFresh ? t("sync.there") : t("sync.lost.since", { since: sinceOf(match) })}</p>
      ${kept.map((entry) => html`<p>${t("sync.entry", { what: entry.title, at: timeOf(new Date(entry.at)) })}</p>`)}
      ${typed > 0 ? html`<p>${counted(draft.request?.laid ? "sync.laid" : `sync.${calledBy(answers)}`, typed)}</p>` : nothing}
      ${nextTry === null ? nothing : html`<p>${t("sync.next", { seconds: nextTry })}</p>`}
      ${kept.length + typed === 0 ? html`<p>${t(match.isFresh ? "sync.all" : "sync.nothing")}</p>` : nothing}
      ${match.isFresh && nextTry === null ? nothing : html`<button type="button" class="button" data-action="try" @click=${() => scoring.tryNow(match)}>${t("sync.try")}</button>`}</div>`,
    },
    verbs,
  );
};

/** A ball of this over. The last one that was sent can be taken back. @param {Pad} state @param {Extract<Sheet, {kind: "ball"}>} open @param {Verbs} verbs */
const ballSheet = ({ match }, { ball, at, text, dice: shown }, verbs) => {
  const last = lastBall(match)?.delivery ?? 0;
  const isLast = last === ball.delivery && match.token !== undefined && match.queue.entries.length === 0;
  return sheet(
    {
      title: `${at}, ${wordOf(ball)}`,
      key: "ball",
      body: html`<div class="block">${dice(shown)}<p dir="auto">${text}</p>
      ${isLast ? choiceKeys({ ways: [{ value: "correct", title: t("correct"), action: "correct" }], labelledby: "sheet-title" }, { choose: () => verbs.correct() }) : nothing}
      ${ball.seq > 0 ? html`<p><a class="link" href=${`/m/${match.id}/ball/${ball.delivery}?known=${match.view?.head.seq ?? 0}`}>${t("ball.look")}</a></p>` : nothing}</div>`,
    },
    verbs,
  );
};

/** The match is abandoned by a second tap, on the reason. @param {Pad} state @param {unknown} _ @param {Verbs} verbs */
const abandonSheet = ({ match }, _, verbs) => {
  const give = (/** @type {unknown} */ value) => {
    verbs.close();
    if (value !== "on") abandon(match, t(`abandon.${value}`));
  };
  const ways = ["on", "rain", "late"].map((value) => ({ value, title: t(`abandon.${value}`) }));
  const isFinal = match.view?.dice === "seeded";
  const body = html`<div class="block"><p>${t("abandon.text")} ${t(isFinal ? "abandon.final" : "abandon.free")}</p>
    ${choiceKeys({ ways, labelledby: "sheet-title" }, { choose: give })}</div>`;
  return sheet({ title: t("abandon.title"), key: "abandon", body }, verbs);
};

/** The rules behind a question. @param {Pad} state @param {Extract<Sheet, {kind: "rules"}>} open @param {Verbs} verbs */
const rulesOf = ({ match }, open, verbs) => rulesSheet(match, open, verbs);

/** @type {Record<Sheet["kind"], {draw(state: Pad, open: Sheet, verbs: Verbs, steps: Steps): unknown}["draw"]>} */
const SHEETS = {
  ask: askSheet,
  correct: correctSheet,
  bring: bringSheet,
  rules: rulesOf,
  abandon: abandonSheet,
  earlier: ({ match }, _, verbs) => earlierSheet(match, verbs),
  more: moreSheet,
  sync: syncSheet,
  ball: ballSheet,
};

/** @param {Pad} state @param {Sheet} open @param {Verbs} verbs @param {Steps} steps */
export const sheetOf = (state, open, verbs, steps) => SHEETS[open.kind](state, open, verbs, steps);
