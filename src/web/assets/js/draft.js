/** The answers that a person has given to the asks of a step, and the body that they make. It knows no game. */
import { freshId } from "./must.js";
import { nameOf, placesOf } from "./places.js";

/** @typedef {import("./service.js").Schemas} Schemas */
/** A request that answers a step; `laid`: its numbers are asked here one by one, and a key of its own sends it. `unseen`: both sides have laid theirs unseen. @typedef {Schemas["NextRequest"] & {laid?: true, unseen?: true}} NextRequest */
/** @typedef {Schemas["Ask"]} Ask */
/** @typedef {Schemas["AskOption"]} AskOption */
/** @typedef {{at: string, value: unknown, sides: number, kind?: Ask["kind"], option?: AskOption}} Answer `option`: what it means. */
/** @typedef {Record<string, Record<string, unknown>>} Changes What was changed of the defaults, by operation and place. */

/**
 * What is typed and not yet a whole body.
 * @typedef {object} Draft
 * @property {string} id The entry that it becomes has the same.
 * @property {string} match
 * @property {NextRequest | null} request The request that the answers belong to.
 * @property {Answer[]} answers In the order in which they were given.
 * @property {Changes} changes
 * @property {NextRequest | null} over The over that begins before the ball, where its choices were changed.
 * @property {string | null} head The head of the match when it was begun.
 * @property {import("./service.js").Schemas["Head"] | undefined} [after] The head of the last answer: another tab may not have read it.
 */

/** @param {string} match @param {string} [id] @returns {Draft} */
export const emptyDraft = (match, id = freshId()) => ({
  id,
  match,
  request: null,
  answers: [],
  changes: {},
  over: null,
  head: null,
});

/** Whether a row of the store is an object that can be used as a draft. @param {unknown} row @returns {row is Draft} */
export const isDraft = (row) => {
  const { id, answers, changes, request, over } = Object(row);
  const isStep = (/** @type {NextRequest | null | undefined} */ step) =>
    !step || (Array.isArray(step.asks) && typeof step.path === "string" && Object(step.body) === step.body);
  return (
    typeof id === "string" &&
    Array.isArray(answers) &&
    answers.every((answer) => typeof answer?.at === "string") &&
    Object(changes) === changes &&
    isStep(request) &&
    isStep(over)
  );
};

/** The requests that this page can answer: what a side chooses in secret is not for the eyes of the other. @param {NextRequest[]} requests */
const open = (requests) => requests.filter(({ secret }) => !secret);

/** The first required ask of all requests: it is the keys. @param {NextRequest[]} requests @returns {{request: NextRequest, ask: Ask} | null} */
export const asked = (requests) => {
  for (const request of open(requests)) {
    const ask = request.asks.find(({ required }) => required);
    if (ask) return { request, ask };
  }
  return null;
};

/** The asks with a default, of all requests, each with its operation. @param {NextRequest[]} requests */
export const changeable = (requests) =>
  open(requests).flatMap(({ operation, asks }) =>
    asks.filter(({ required }) => !required).map((ask) => ({ operation, ask })),
  );

/** What was chosen for an over and for a ball, by their operations, each as the log has it. @typedef {Record<string, unknown>} Chosen */

/** What stands at a place such as `choices.stroke` among the choices of an event. @param {unknown} choices @param {string} at */
const chosenAt = (choices, at) =>
  placesOf(nameOf(at)).reduce((inner, place) => /** @type {Members | undefined} */ (inner)?.[place], choices);

/**
 * A draft in which the choices of what was taken back stand again, wherever they are offered and are not the default.
 * Names on places follow from the other choices, and no sheet changes them: they stay as they are.
 * @param {Draft} draft @param {NextRequest[]} offered @param {Chosen} chosen @returns {Draft}
 */
export const withChosen = (draft, offered, chosen) => {
  /** @type {Changes} */
  const again = {};
  for (const { operation, ask } of changeable(offered)) {
    const value = chosenAt(chosen[operation], ask.at);
    const isUsual = value === undefined || JSON.stringify(value) === JSON.stringify(ask.default);
    const isPlaced = ask.places || (Object(value) === value && !Array.isArray(value));
    if (!isUsual && !isPlaced) again[operation] = { ...again[operation], [ask.at]: value };
  }
  const begins = offered.find(({ operation }) => operation === "begin_over" && again[operation]);
  const changes = Object.entries(draft.changes).map(([operation, own]) => [
    operation,
    { ...again[operation], ...own },
  ]);
  return {
    ...draft,
    over: draft.over ?? begins ?? null,
    changes: { ...again, ...Object.fromEntries(changes) },
  };
};

/** The ways of a step that several requests of one operation answer. @param {NextRequest[]} requests */
export const waysOf = (requests) => {
  const ways = open(requests).filter(({ operation }) => operation === requests[0]?.operation);
  return ways.length > 1 ? ways : [];
};

/** Whether two requests are the same step. @param {NextRequest} one @param {NextRequest} other */
export const same = (one, other) =>
  one.path === other.path && JSON.stringify(one.body) === JSON.stringify(other.body);

/** The asks of a request that are still to be answered, with those that follow from an answer. @param {NextRequest} request @param {Answer[]} answers @returns {NextRequest} */
export const remaining = (request, answers) => {
  const given = new Map(answers.map(({ at, value }) => [at, value]));
  const followed = request.asks.flatMap((ask) => {
    if (!given.has(ask.at)) return [ask];
    return ask.options?.find(({ value }) => value === given.get(ask.at))?.asks ?? [];
  });
  return { ...request, asks: followed.filter(({ at }) => !given.has(at)) };
};

/** The body of a request: its fixed part, the changed choices, and the answers. @param {NextRequest} request @param {Answer[]} answers @param {Record<string, unknown>} [changes] */
export const bodyOf = (request, answers, changes = {}) => {
  const body = JSON.parse(JSON.stringify(request.body));
  for (const [at, value] of Object.entries(changes)) place(body, at, value);
  for (const { at, value } of answers) place(body, at, value);
  return body;
};

/** Puts a value at a place. @param {Members} body @param {string} at @param {unknown} value */
const place = (body, at, value) => {
  const steps = placesOf(at);
  const last = steps.pop() ?? at;
  let inner = body;
  steps.forEach((step, i) => {
    inner = /** @type {Members} */ (inner[step] ??= /^\d+$/.test(steps[i + 1] ?? last) ? [] : {});
  });
  inner[last] = value;
};
/** The members of an object, or of an array. @typedef {{[place: string]: unknown}} Members */

/** Whether two drafts have the same answers and choices. A store gives another object each time. @param {Draft} one @param {Draft} other */
export const sameDraft = (one, other) => {
  const typed = (/** @type {Draft} */ { id, request, answers, changes }) =>
    JSON.stringify([id, request, answers, changes]);
  return one === other || typed(one) === typed(other);
};

/** The dice among the answers, as they are drawn. @param {Answer[]} answers */
export const diceOf = (answers) =>
  answers
    .filter(({ value }) => typeof value === "number")
    .map(({ value, sides, option }) => ({ value: Number(value), sides, face: option?.face }));
