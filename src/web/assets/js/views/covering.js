/**
 * The over at once on one phone: each side lays its order, and the other does not see it. A cover stands before and
 * after each secret, and the page has only the order of the side whose turn it is. Of the first order the browser keeps
 * a salted hash alone: after a reload that side types it again, and no other. Cubes that the service has dealt it keeps
 * itself, one order after the other.
 */
import { t } from "../i18n.js";
import { emptyDraft } from "../draft.js";
import { keep, keyOf } from "../keys.js";
import { answerTo, kindOf, laid, numbersOf } from "../kinds.js";
import { draftOf, inTurn, offeredOf, shownOf } from "../match.js";
import { freshId } from "../must.js";
import { focusSoon, owe, redraw } from "../owed.js";
import { press } from "../pressing.js";
import { dealtOf, seal } from "./dealt.js";
import { isSecret } from "./stepping.js";
import { write } from "../weighing.js";

/** @typedef {import("./pad.js").Pad} Pad */
/** @typedef {import("../match.js").Match} Match */
/** @typedef {import("../draft.js").Ask} Ask */
/**
 * @typedef {object} Secret
 * @property {string} over The over that the orders are for.
 * @property {number} turn How many orders are laid: the next one is due.
 * @property {boolean} covered
 * @property {unknown[][]} orders Those that are laid at the table.
 * @property {unknown[]} values What is laid of the one that is due.
 * @property {unknown} roll What else is chosen of dealt cubes: the ball on which one is rolled.
 * @property {string | null} side Whose dealt cubes are laid; null at the table.
 * @property {boolean} isSent Whether an order is on its way: nothing is drawn of it.
 * @property {boolean} again Whether the first side has laid its order before, and the page has forgotten it.
 * @property {string | null} said
 */

/** The request that begins the over that is due. @param {Match} match */
const beginsOf = (match) => offeredOf(match)?.find(({ operation }) => operation === "begin_over");

/** The orders that it asks for. @param {Match} match */
const ordersOf = (match) => (beginsOf(match)?.asks ?? []).filter((ask) => numbersOf(ask).length > 0);

/** Which over is due, in a form that no other one has. @param {Match} match */
const overOf = (match) => `${shownOf(match)?.score.innings.length ?? 0} ${beginsOf(match)?.title ?? ""}`;

/** Whether the over is another one by now, or the cubes of the side that has the phone are not due any more. @param {Pad} pad */
export const hasMoved = (pad) => {
  const { match, secret } = pad;
  if (!secret || secret.isSent) return false;
  return secret.side === null ? secret.over !== overOf(match) : !dueOf(pad);
};

/**
 * What is due: an ask with the numbers or the cubes that can be laid, and what the service lists for it.
 * @param {Pad} pad @returns {import("./dealt.js").Dealt | { ask: Ask, each: Ask } | undefined}
 */
export const dueOf = ({ match, secret }) => {
  if (!secret || secret.isSent) return undefined;
  // The cubes of the other side are not for the one that has the phone.
  if (secret.side !== null) return dealtOf(match).find(({ ask }) => ask.side === secret.side);
  const ask = ordersOf(match)[secret.turn];
  const [each] = ask ? numbersOf(ask) : [];
  return ask && each && { ask, each };
};

/** What is laid, in words. @param {Ask} ask @param {unknown} value */
export const wordsOf = ({ options }, value) =>
  options?.find((option) => option.value === value)?.title ?? String(value);

/** @param {Match} match @param {string} salt @param {unknown[]} values */
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
export const change = (pad, members) => {
  if (pad.secret) pad.secret = { ...pad.secret, ...members };
  redraw();
  // The key that was pressed is there no more.
  if ("covered" in members) focusSoon("#question");
};

/** Begins the over at once. Where the first side has laid its order already, it lays the same again. @param {Pad} pad */
export const begin = async (pad) => {
  const { match } = pad;
  const side = dealtOf(match)[0]?.ask.side ?? null;
  const order = side === null ? (await keyOf(match.id))?.order : undefined;
  const over = overOf(match);
  const again = order?.over === over;
  if (order && !again) await keepOrder(match);
  pad.secret = {
    ...NOTHING,
    over,
    turn: 0,
    covered: true,
    orders: [],
    side,
    again,
    said: null,
    isSent: false,
  };
  redraw();
};

/** Nothing is laid of the order that is due. */
export const NOTHING = { values: /** @type {unknown[]} */ ([]), roll: undefined };

/** Goes on where the page was left after the first order. @param {Pad} pad */
export const resume = async (pad) => {
  const order = (await keyOf(pad.match.id))?.order;
  if (!order || pad.secret || !pad.match.token || !pad.match.view) return;
  if (order.over === overOf(pad.match) && !pad.match.queue.draft.request) await begin(pad);
  else await keepOrder(pad.match);
};

/** Both orders go, and are laid anew: one that was seen by both is not changed alone. @param {Pad} pad */
export const anew = async (pad) => {
  const { match } = pad;
  if (draftOf(match).request) await inTurn(match, () => write(match, () => emptyDraft(match.id)));
  await keepOrder(match);
  await begin(pad);
};

/** A cube is laid. @param {Pad} pad @param {unknown} value @param {boolean} isTouch */
export const type = (pad, value, isTouch = false) => {
  const { match, secret } = pad;
  const due = dueOf(pad);
  if (!secret || secret.covered || !due || secret.values.length >= Number(due.ask.count)) return;
  if ("each" in due ? !kindOf(due.each).option(due.each, value) : !leftOf(due, secret).includes(value))
    return;
  if (!press(match, value, isTouch)) return;
  const values = [...secret.values, value];
  change(pad, { values, said: null });
  // The keys go with the last cube.
  if (values.length === Number(due.ask.count)) focusSoon("#question");
};

/** A digit lays the first cube that shows it. @param {Pad} pad @param {number} digit */
export const typeDigit = (pad, digit) => {
  const due = dueOf(pad);
  if (!pad.secret || !due) return;
  const shows = (/** @type {unknown} */ cube) => wordsOf(due.ask, cube) === String(digit);
  type(pad, "each" in due ? digit : leftOf(due, pad.secret).find(shows));
};

/** The cubes that are not laid yet. @param {import("./dealt.js").Dealt} due @param {Secret} secret */
export const leftOf = ({ ask }, { values }) =>
  (ask.options ?? []).map(({ value }) => value).filter((cube) => !values.includes(cube));

/** What Undo takes back of what is laid; null where it is something else. @param {Pad} pad @returns {{words?: string, why?: string} | null} */
export const undoOf = (pad) => {
  const cube = pad.secret?.values.at(-1);
  const ask = dueOf(pad)?.ask;
  if (isSecret(pad))
    return cube === undefined || !ask
      ? { why: "" }
      : { words: t("undo.number", { what: wordsOf(ask, cube) }) };
  // What both have seen is not changed by one.
  return draftOf(pad.match).request?.unseen ? { words: t("cover.anew") } : null;
};

/** Takes back the cube that was laid last, or both orders. Returns whether it did. @param {Pad} pad */
export const takeBack = (pad) => {
  if (!undoOf(pad)) return false;
  if (!isSecret(pad)) void owe(anew(pad));
  // Nothing comes back of an order that is on its way.
  else if (!pad.secret?.isSent) change(pad, { values: pad.secret?.values.slice(0, -1) ?? [], said: null });
  return true;
};

/** The order is whole: it is covered, and the other side has its turn. @param {Pad} pad */
export const lays = async (pad) => {
  const { match, secret } = pad;
  // Its key comes where the last cube was: the same finger does not mean it.
  if (!secret || secret.isSent || match.pressed) return;
  if (secret.side !== null) return seals(pad, secret);
  const { turn, values, orders } = secret;
  const said = turn === 0 ? await keptFirst(match, secret).catch(() => t("script.failed")) : null;
  if (said !== null) return change(pad, { values: [], said });
  change(pad, { turn: turn + 1, orders: [...orders, values], values: [], covered: true, again: false });
};

/** The service keeps the order: the page does not offer it again, and shows nothing while it is on its way. @param {Pad} pad @param {Secret} secret */
const seals = async (pad, secret) => {
  const { match } = pad;
  const due = dealtOf(match).find(({ ask }) => ask.side === secret.side);
  if (!due) return;
  change(pad, { ...NOTHING, covered: true, isSent: true, said: null });
  const said = await seal(match, due, secret.values, secret.roll);
  const [next] = dealtOf(match);
  // It is laid again by the side that still has the phone.
  if (said !== null) return change(pad, { ...secret, said, isSent: false });
  if (!next) pad.secret = null;
  change(pad, { side: next?.ask.side ?? null, turn: 1, isSent: false, covered: true });
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
export const shows = async (pad) => {
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
