/**
 * The kinds of an ask, and the only module that knows them: what stands for each where the thumb is and on a sheet,
 * and which value answers it. A new kind is a row here.
 */
import { waysOf } from "./draft.js";
import { t } from "./i18n.js";
import { choiceKeys, keypad } from "./parts/keypad.js";

/** @typedef {import("./service.js").Schemas} Schemas */
/** @typedef {import("./draft.js").Ask} Ask */
/** @typedef {import("./draft.js").AskOption} AskOption */
/** @typedef {import("./draft.js").Answer} Answer */
/** @typedef {import("./draft.js").NextRequest} NextRequest */

/**
 * An ask where the thumb is.
 * @typedef {object} OnPad
 * @property {Ask} ask
 * @property {number | null} pressed The key that stays filled.
 * @property {unknown} missed The key whose press did not count.
 * @property {boolean} closed Whether the keys wait.
 * @property {() => unknown} elsewhere What leads to its sheet, or says how it is answered without this page.
 */
/** @typedef {{die: (value: number) => void, choose: (value: unknown) => void}} OfPad */

/**
 * An ask on its sheet.
 * @typedef {object} OnSheet
 * @property {Ask} ask
 * @property {unknown} chosen What stands for it: what was chosen, else its default.
 * @property {unknown[] | null} taken What was taken of a list since the sheet was opened.
 * @property {() => unknown} elsewhere What says how it is answered without this page.
 */
/** @typedef {{choose: (value: unknown) => void, take: (taken: unknown[]) => void}} OfSheet */
/**
 * What draws on a sheet. It is a script of its own, which has come when a sheet is drawn.
 * @typedef {typeof import("./parts/lists.js") & {placesList: (data: OnSheet, send: OfSheet) => unknown}} Lists
 */

/**
 * @typedef {object} Kind
 * @property {(ask: OnPad, send: OfPad) => unknown} keys
 * @property {(lists: Lists, ask: OnSheet, send: OfSheet) => unknown} sheet
 * @property {(ask: Ask, value: unknown) => AskOption | undefined} option What the value of a key or a digit means; undefined where that is no answer.
 * @property {"die" | "number"} [word] What an answer is called, if it is no choice.
 * @property {boolean} [isList] Whether several values answer it together.
 * @property {boolean} [isWay] Whether several of it are one sheet, as the toss is.
 * @property {boolean} [keepsKeys] Whether its keys keep their place while the service is asked.
 * @property {(ask: Ask) => Ask[]} [numbers] The asks of its numbers, each by itself; none where it has no range.
 */

/** @type {Kind["option"]} */
const listed = ({ options }, value) => options?.find((option) => option.value === value);

/** @type {Kind["option"]} */
const inRange = (ask, value) => {
  if (ask.options?.length) return listed(ask, value);
  const isIn =
    typeof value === "number" && value >= Number(ask.minimum ?? 1) && value <= Number(ask.maximum ?? 6);
  return isIn ? { value, title: "" } : undefined;
};

/** A key for each number. @param {boolean} isDie @returns {Kind} */
const numbers = (isDie) => ({
  keys: ({ ask, pressed, missed, closed }, send) => keypad({ ask, isDie, pressed, missed, closed }, send),
  sheet: ({ numberList }, { ask }, send) => numberList({ ask, isDie }, send),
  option: inRange,
  word: isDie ? "die" : "number",
  keepsKeys: true,
});

/** Whether options stand as large keys, and not as many small ones. @param {unknown[]} options */
const isFew = (options) => options.length <= 3;

/** A key for each: two beside each other, and many each in its place. @type {Kind["keys"]} */
const ways = ({ ask }, send) => {
  const options = ask.options ?? [];
  return choiceKeys(
    { ways: options, looks: isFew(options) ? (options.length < 3 ? "beside" : "") : "many" },
    send,
  );
};

/** What no key answers: a sheet does. */
const onSheet = {
  keys: (/** @type {OnPad} */ { elsewhere }) => elsewhere(),
};

/** A list answers with values that each are an option. @type {Kind["option"]} */
const listOf = (ask, values) => {
  const found = Array.isArray(values) ? values.map((value) => inRange(ask, value)) : [undefined];
  const isFull =
    ask.kind === "order" ? found.length === ask.count : found.length <= Number(ask.count ?? Infinity);
  return isFull && found.every((option) => option && !option.why_not)
    ? { value: values, title: found.map((option) => option?.title || option?.value).join(", ") }
    : undefined;
};

/** @type {Record<Schemas["AskKind"], Kind>} */
const KINDS = {
  die: numbers(true),
  number: numbers(false),
  one: {
    keys: ways,
    sheet: ({ optionList }, data, send) => optionList(data, send),
    option: listed,
    isWay: true,
  },
  some: {
    ...onSheet,
    isList: true,
    option: listOf,
    sheet: ({ someList }, data, send) => someList(data, send),
  },
  order: {
    ...onSheet,
    isList: true,
    option: listOf,
    numbers: (ask) =>
      ask.options?.length || typeof ask.minimum !== "number"
        ? []
        : Array.from({ length: Number(ask.count) }, (_, place) => ({
            ...ask,
            at: `${ask.at}[${place}]`,
            kind: "number",
            required: true,
          })),
    sheet: ({ orderList }, data, send) => orderList(data, send),
  },
  yes_no: {
    keys: ways,
    sheet: ({ fewList }, data, send) => fewList(data, send),
    option: listed,
    isWay: true,
  },
  places: {
    ...onSheet,
    option: (_, value) =>
      Object(value) === value && !Array.isArray(value) ? { value, title: "" } : undefined,
    sheet: ({ placesList }, data, send) => placesList(data, send),
  },
};

/** A kind that a later service asks. @type {Kind} */
const LATER = { ...onSheet, option: () => undefined, sheet: (_, { elsewhere }) => elsewhere() };

/** @param {Ask} ask @returns {Kind} */
export const kindOf = ({ kind }) => /** @type {Record<string, Kind | undefined>} */ (KINDS)[kind] ?? LATER;

/** Whether this page asks it at all: a later service may have kinds of its own, and what stays a side's own has no values here. @param {Ask} ask */
export const isKnown = (ask) =>
  ask.kind in KINDS && (ask.kind !== "order" || Boolean(ask.options?.length) || Number.isFinite(ask.minimum));

/** @param {Ask} ask @param {unknown} value @param {AskOption} option What it means. @returns {Answer} */
export const answerTo = ({ at, kind, options }, value, option) => ({
  at,
  value,
  sides: options?.length ?? 6,
  kind,
  option,
});

/** What answers are called, if all are of one kind. An older draft does not say which. @param {Answer[]} answers */
export const calledBy = (answers) => {
  const wordOf = (/** @type {Answer} */ { kind, value }) =>
    kind ? KINDS[kind]?.word : typeof value === "number" ? "die" : undefined;
  const words = new Set(answers.map(wordOf));
  return (words.size === 1 && [...words][0]) || "choice";
};

/** What was chosen for a ball among its answers, in words: neither a die nor a number. @param {import("./draft.js").Draft} draft */
export const chosenIn = ({ request, answers }) =>
  request?.operation === "bowl_ball"
    ? answers
        .filter(({ kind }) => kind && !KINDS[kind]?.word)
        .flatMap(({ option }) => option?.title || [])
        .join(", ")
    : "";

/** Whether a step is a sheet of several choices, as the toss is. @param {NextRequest} request */
export const isForm = ({ asks, laid }) => {
  const required = asks.filter((ask) => ask.required);
  return laid || (required.length > 1 && required.every((ask) => kindOf(ask).isWay));
};

/**
 * A draft in which the orders of an over are asked number by number, with those that stand among its choices. There is
 * none where no order stands there, unless it begins with that.
 * @param {import("./draft.js").Draft} draft @param {NextRequest[] | null} offered @param {boolean} [begins]
 */
export const laid = (draft, offered, begins) => {
  const request = !draft.request && offered?.find(({ operation }) => operation === "begin_over");
  if (!request) return null;
  const { operation } = request;
  const rest = { ...draft.changes[operation] };
  const answers = request.asks.flatMap((order) => {
    const values = [rest[order.at]].flat();
    const asks = numbersOf(order);
    if (asks.length > 0) delete rest[order.at];
    return asks.flatMap((ask, place) =>
      values[place] === undefined ? [] : answerTo(ask, values[place], { value: values[place], title: "" }),
    );
  });
  const asks = request.asks.flatMap(numbersOf);
  return asks.length > 0 && (begins || answers.length > 0)
    ? {
        ...draft,
        request: { ...request, title: t("over"), laid: /** @type {const} */ (true), asks },
        answers,
        changes: { ...draft.changes, [operation]: rest },
      }
    : null;
};

/** @param {Ask} ask */
export const numbersOf = (ask) => kindOf(ask).numbers?.(ask) ?? [];

/** What stands for a choice, in words; `none`: those of an empty list. @param {Ask} ask @param {unknown} value @param {string} none */
export const valueWords = ({ options }, value, none) => {
  if (Array.isArray(value) && value.length === 0) return none;
  const titleOf = (/** @type {unknown} */ one) =>
    options?.find((option) => option.value === one)?.title ?? String(one);
  return [value].flat().map(titleOf).join(", ");
};

/** Whether the options of an ask are parts of a field. @param {Ask} ask */
export const isShaped = ({ options }) => Boolean(options?.some(({ shape }) => shape));

/** Whether an ask is of one of a few, which stand as keys. @param {Ask} ask */
export const isOfFew = (ask) => Boolean(kindOf(ask).isWay) && isFew(ask.options ?? []);

/** Whether the first of the ways needs no key of its own: the keys of its first ask say which way is meant. @param {NextRequest[]} ways */
const leads = ([first]) => {
  const ask = first?.asks.find(({ required }) => required);
  return ask !== undefined && isOfFew(ask) && Object.keys(first?.body ?? {}).length === 0;
};

/** The ways of a step of which one is picked first, as to accept or to review. @param {NextRequest[]} requests */
export const alternatives = (requests) => (leads(waysOf(requests)) ? [] : waysOf(requests));

/** The other ways of a step whose first one is asked at once, as to toss now. @param {NextRequest[]} requests */
export const otherWays = (requests) => (leads(waysOf(requests)) ? waysOf(requests).slice(1) : []);
