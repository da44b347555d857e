/** What is typed: from a draft and an answer to the next draft, and from a draft to the requests that it makes. Pure. */
import { bodyOf, remaining, same } from "./draft.js";
import { isPreviewed } from "./deciding.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Answer} Answer */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./outbox.js").Call} Call */

/**
 * A key was pressed. The first answer says which request it answers, and which head the ball is made on.
 * @param {Draft} draft @param {NextRequest} request @param {Answer} answer @param {string | null} head @returns {Draft}
 */
export const withAnswer = (draft, request, answer, head) => ({
  ...draft,
  request: draft.answers.length > 0 ? draft.request : request,
  answers: [...draft.answers, answer],
  head: draft.head ?? head,
});

/** The last answer goes. A request that was picked among others stays until it is taken back itself. @param {Draft} draft @param {NextRequest[]} picked Those of which one is picked. @returns {Draft} */
export const withoutLast = (draft, picked) => {
  const answers = draft.answers.slice(0, -1);
  const { request } = draft;
  const isPicked =
    draft.answers.length > 0 &&
    request &&
    (request.laid || picked.some((way) => way.title === request.title && same(way, request)));
  const stays = answers.length > 0 || isPicked;
  return { ...draft, answers, request: stays ? request : null, head: answers.length > 0 ? draft.head : null };
};

/** A choice of a form, of which each place has one. @param {Draft} draft @param {NextRequest} request @param {Answer} answer @param {string | null} head @returns {Draft} */
export const withPlace = (draft, request, answer, head) => ({
  ...draft,
  request,
  head,
  answers: [...draft.answers.filter(({ at }) => at !== answer.at), answer],
});

/** A default is changed, or taken again. @param {Draft} draft @param {NextRequest[]} offered @param {{operation: string, at: string, value: unknown}} choice @returns {Draft} */
export const withChange = (draft, offered, { operation, at, value }) => {
  const { changes } = draft;
  const over =
    offered.find((request) => request.operation === operation && operation === "begin_over") ?? draft.over;
  return { ...draft, over, changes: { ...changes, [operation]: { ...changes[operation], [at]: value } } };
};

/** The over that a draft begins, unless it was begun elsewhere meanwhile. @param {Draft} draft @param {NextRequest[] | null} offered @returns {Call | null} */
export const overOf = ({ id, over, changes }, offered) => {
  const isDue = over && (!offered || offered.some(({ operation }) => operation === over.operation));
  return isDue
    ? { path: over.path, body: bodyOf(over, [], changes[over.operation]), key: `${id}-over` }
    : null;
};

/**
 * The requests of a draft: the over first, where its choices were changed. Their keys are the draft's, so that two
 * tabs that finish the same draft record it once.
 * @param {Draft} draft @param {NextRequest} request @param {NextRequest[] | null} offered @returns {Call[]}
 */
export const callsOf = (draft, request, offered) => {
  const { id, answers, changes } = draft;
  const over = request.operation === draft.over?.operation ? null : overOf(draft, offered);
  return [
    ...(over ? [over] : []),
    { path: request.path, body: bodyOf(request, answers, changes[request.operation]), key: id },
  ];
};

/** What the preview of a draft is asked with: the ball, after the over that begins before it. @param {Draft} draft @param {NextRequest} request @param {NextRequest[] | null} offered */
export const previewBody = (draft, request, offered) => {
  const body = bodyOf(request, draft.answers, draft.changes[request.operation]);
  const over = overOf(draft, offered);
  return over && request.operation === "bowl_ball" ? { ...body, over: over.body } : body;
};

/** The request whose choices were changed before an answer was given: an over's can say what its ball asks. @param {Draft} draft @param {NextRequest[] | null} offered */
export const changedOf = (draft, offered) => {
  const changed = (offered ?? []).filter(
    (request) => isPreviewed(request) && draft.changes[request.operation],
  );
  return changed[changed.length - 1] ?? null;
};

/** Whether a request that is not previewed still waits for an answer. @param {Draft} draft @param {NextRequest} request */
export const isOpen = (draft, request) =>
  remaining(request, draft.answers).asks.some(({ required }) => required);
