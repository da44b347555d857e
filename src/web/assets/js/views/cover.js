/**
 * The over at once on one phone: each side lays its order, and the other does not see it. A cover stands before and
 * after each secret, and the page has only the order of the side whose turn it is. Of the first order the browser keeps
 * a salted hash alone: after a reload that side types it again, and no other.
 */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { emptyDraft } from "../draft.js";
import { keep, keyOf } from "../keys.js";
import { answerTo, kindOf, laid, numbersOf } from "../kinds.js";
import { draftOf, offeredOf, shownOf } from "../match.js";
import { freshId } from "../must.js";
import { owe, redraw } from "../owed.js";
import { orderRows } from "../parts/orders.js";
import { note, question, under } from "../parts/question.js";
import { press } from "../pressing.js";
import { focusSoon } from "./hearing.js";
import { nameOf } from "./pad_orders.js";
import { isSecret } from "./stepping.js";
import { inTurn } from "../scoring.js";
import { write } from "../weighing.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("../match.js").Match} Match */
/**
 * @typedef {object} Secret
 * @property {string} over The over that the orders are for.
 * @property {number} turn How many orders are laid: the next one is due.
 * @property {boolean} covered
 * @property {number[][]} orders Those that are laid.
 * @property {number[]} values What is typed of the one that is due.
 * @property {boolean} again Whether the first side has laid its order before, and the page has forgotten it.
 * @property {string | null} said
 */

/** The request that begins the over that is due. @param {Match} match */
const beginsOf = (match) => offeredOf(match)?.find(({ operation }) => operation === "begin_over");

/** The orders that it asks for. @param {Match} match */
const ordersOf = (match) => (beginsOf(match)?.asks ?? []).filter((ask) => numbersOf(ask).length > 0);

/** Which over is due, in a form that no other one has. @param {Match} match */
const overOf = (match) => `${shownOf(match)?.score.innings.length ?? 0} ${beginsOf(match)?.title ?? ""}`;

/** @param {Match} match @param {string} salt @param {number[]} values */
const hashOf = async ({ id }, salt, values) => {
  // What makes tokens has the function.
  const { hashed } = await import("../creating.js");
  return hashed(`${id} ${salt} ${values.join(" ")}`);
};

/** What is kept of the first order; left out, it goes. @param {Match} match @param {import("../keys.js").Order} [order] */
const keepOrder = async (match, order) => {
  const { order: _, ...key } = (await keyOf(match.id)) ?? { match: match.id };
  await keep({ ...key, ...(order && { order }) });
};

/** @param {Pad} pad @param {Partial<Secret>} members */
const change = (pad, members) => {
  if (pad.secret) pad.secret = { ...pad.secret, ...members };
  redraw();
  // The key that was pressed is there no more.
  if ("covered" in members) focusSoon("#question");
};

/** Begins the over at once. Where the first side has laid its order already, it lays the same again. @param {Pad} pad */
export const begin = async (pad) => {
  const { match } = pad;
  const order = (await keyOf(match.id))?.order;
  const over = overOf(match);
  const again = order?.over === over;
  if (order && !again) await keepOrder(match);
  pad.secret = { over, turn: 0, covered: true, orders: [], values: [], again, said: null };
  redraw();
};

/** Goes on where the page was left after the first order. @param {Pad} pad */
export const resume = async (pad) => {
  const order = (await keyOf(pad.match.id))?.order;
  if (!order || pad.secret || !pad.match.token || !pad.match.view) return;
  if (order.over === overOf(pad.match) && !pad.match.queue.draft.request) await begin(pad);
  else await keepOrder(pad.match);
};

/** Both orders go, and are laid anew: one that was seen by both is not changed alone. @param {Pad} pad */
const anew = async (pad) => {
  const { match } = pad;
  if (draftOf(match).request) await inTurn(match, () => write(match, () => emptyDraft(match.id)));
  await keepOrder(match);
  await begin(pad);
};

/** A cube is laid. @param {Pad} pad @param {unknown} value @param {boolean} isTouch */
export const type = (pad, value, isTouch = false) => {
  const { match, secret } = pad;
  const ask = secret && ordersOf(match)[secret.turn];
  if (!secret || secret.covered || !ask || secret.values.length >= Number(ask.count)) return;
  if (!numbersOf(ask).some((one) => kindOf(one).option(one, value))) return;
  if (press(match, value, isTouch)) change(pad, { values: [...secret.values, Number(value)], said: null });
};

/** What Undo takes back of what is laid; null where it is something else. @param {Pad} pad @returns {{words?: string, why?: string} | null} */
export const undoOf = (pad) => {
  const cube = pad.secret?.values.at(-1);
  if (isSecret(pad))
    return cube === undefined ? { why: "" } : { words: t("undo.number", { what: String(cube) }) };
  // What both have seen is not changed by one.
  return draftOf(pad.match).request?.unseen ? { words: t("cover.anew") } : null;
};

/** Takes back the cube that was laid last, or both orders. Returns whether it did. @param {Pad} pad */
export const takeBack = (pad) => {
  if (!undoOf(pad)) return false;
  if (isSecret(pad)) change(pad, { values: pad.secret?.values.slice(0, -1) ?? [], said: null });
  else void owe(anew(pad));
  return true;
};

/** The order is whole: it is covered, and the other side has its turn. @param {Pad} pad */
const lays = async (pad) => {
  const { match, secret } = pad;
  if (!secret) return;
  const { turn, values, orders } = secret;
  const said = turn === 0 ? await keptFirst(match, secret).catch(() => t("script.failed")) : null;
  if (said !== null) return change(pad, { values: [], said });
  change(pad, { turn: turn + 1, orders: [...orders, values], values: [], covered: true, again: false });
};

/** Keeps the hash of the first order; where there is one, it is that of the same order. Returns what is wrong. @param {Match} match @param {Secret} secret */
const keptFirst = async (match, { over, values }) => {
  const order = (await keyOf(match.id))?.order;
  const salt = order?.salt ?? freshId();
  const hash = await hashOf(match, salt, values);
  if (!order) await keepOrder(match, { over, salt, hash });
  return order && order.hash !== hash ? t("cover.other") : null;
};

/** Both see both orders: from now on they are kept as a ball is. @param {Pad} pad */
const shows = async (pad) => {
  const { match, secret } = pad;
  const values = secret?.orders.flat() ?? [];
  await inTurn(match, () =>
    write(match, (draft) => {
      const begun = laid(draft, offeredOf(match), true);
      const answers = begun?.request?.asks.map((ask, place) =>
        answerTo(ask, values[place], { value: values[place], title: "" }),
      );
      return begun?.request && answers
        ? { ...begun, request: { ...begun.request, unseen: /** @type {const} */ (true) }, answers }
        : draft;
    }),
  );
  // Another tab has typed meanwhile, or an answer is not read yet.
  if (!draftOf(match).request?.laid) return change(pad, { said: t("cover.wait") });
  await keepOrder(match);
  pad.secret = null;
  redraw();
};

/** @param {{ words: string, action: string, other?: boolean }} data @param {() => unknown} act */
const button = ({ words, action, other }, act) =>
  html`<button type="button" class=${other ? "button other low" : "button"} data-action=${action} @click=${() => void owe(Promise.resolve(act()))}><span dir="auto">${words}</span></button>`;

/** What a reader hears of it: never a cube. @param {Pad} pad */
export const saidOf = ({ match, secret }) => {
  const ask = secret ? ordersOf(match)[secret.turn] : undefined;
  if (!secret || secret.over !== overOf(match)) return t("cover.moved");
  if (!ask) return t("cover.both");
  return secret.covered ? t("cover.give", { side: nameOf(match, ask) }) : ask.title;
};

/** The cover, or the keys of the side whose turn it is. @param {Pad} pad */
export const coverOf = (pad) => {
  const { match, secret } = pad;
  if (!secret) return nothing;
  const leave = () => {
    pad.secret = null;
    redraw();
  };
  if (secret.over !== overOf(match))
    return html`${note({ title: t("cover.moved") })}<div class="actions">${button({ words: t("cover.leave"), action: "leave" }, leave)}</div>`;
  const asks = ordersOf(match);
  const ask = asks[secret.turn];
  const name = ask ? nameOf(match, ask) : "";
  const isFresh = secret.turn === 0 && !secret.again;
  const out = isFresh
    ? button({ words: t("cover.leave"), action: "leave", other: true }, leave)
    : button({ words: t("cover.anew"), action: "anew", other: true }, () => anew(pad));
  if (!ask)
    return html`${question({ title: t("cover.both"), said: secret.said })}<div class="actions">${button({ words: t("cover.show"), action: "show-both" }, () => shows(pad))}${out}</div>`;
  if (secret.covered)
    return html`${question({ title: t("cover.give", { side: name }) })}${secret.again ? under(t("cover.again")) : nothing}
      <div class="actions">${button({ words: t("cover.here", { side: name }), action: "uncover" }, () => change(pad, { covered: false, said: null }))}${out}</div>`;
  const isWhole = secret.values.length >= Number(ask.count);
  const [number] = numbersOf(ask);
  return html`${question({ title: ask.title, said: secret.said })}
    ${
      isWhole || !number
        ? html`<div class="actions">${button({ words: t("cover.done"), action: "laid" }, () => lays(pad))}</div>`
        : kindOf(number).keys(
            { ask: number, pressed: null, missed: undefined, closed: false, elsewhere: () => nothing },
            { die: (value) => type(pad, value, true), choose: () => {} },
          )
    }
    <div class="actions">${button({ words: t("cover.hide"), action: "cover", other: true }, () => change(pad, { covered: true, values: [], said: null }))}</div>`;
};

/** The cubes of the side whose turn it is; under the cover none. @param {Pad} pad */
export const rowOf = ({ match, secret }) => {
  const ask = secret && !secret.covered ? ordersOf(match)[secret.turn] : undefined;
  if (!secret || !ask) return html`<div class="strip"></div>`;
  const name = nameOf(match, ask);
  const values = Array.from({ length: Number(ask.count) }, (_, place) => secret.values[place]);
  return orderRows({ rows: [{ name, values }], due: secret.values.length });
};
