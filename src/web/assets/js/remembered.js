/** What was chosen for a ball is chosen for the next one, as far as that can have it. Pure. */

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */

/**
 * What stood for a ball among its choices, as chosen or as a default, where the next one can have it and would have
 * something else. What was chosen for who comes in is his alone.
 * @param {Draft} before @param {NextRequest[]} requests Those of the next ball.
 */
const chosenAgain = ({ request, changes }, requests) => {
  const operation = "bowl_ball";
  if (request?.operation !== operation) return [];
  const asks = requests.find((one) => one.operation === operation)?.asks ?? [];
  /** @type {(ask: import("./draft.js").Ask) => [string, unknown][]} */
  const again = ({ at, player, default: usual }) => {
    const value = changes[operation]?.[at] ?? usual;
    const next = asks.find((ask) => ask.at === at && !ask.required && ask.player === player);
    const option = next?.options?.find((option) => option.value === value);
    return option && !option.why_not && value !== next?.default ? [[at, value]] : [];
  };
  const isOfNext = (/** @type {string} */ at) => at.startsWith("choices.next_");
  return request.asks.filter(({ at, required }) => !required && !isOfNext(at)).flatMap(again);
};

/**
 * The draft behind a ball, with what was chosen for that; null where there is nothing to choose again, or something is
 * typed already.
 * @param {Draft | null} draft @param {Draft} before @param {NextRequest[]} requests @returns {Draft | null}
 */
export const withRemembered = (draft, before, requests) => {
  const again = chosenAgain(before, requests);
  if (!draft || again.length === 0 || draft.answers.length > 0 || Object.keys(draft.changes).length > 0)
    return null;
  return { ...draft, changes: { bowl_ball: Object.fromEntries(again) } };
};

/**
 * The ball behind an entry has the choices of that, as far as it can have them, and its innings goes on.
 * @param {string} id @returns {import("./outbox.js").Step}
 */
export const remembered = (id) => (kept) => {
  const { draft, preview } = kept.entries.find((entry) => entry.id === id) ?? {};
  const goesOn = draft && preview && !preview.situation?.innings_ended;
  const next = goesOn ? withRemembered(kept.draft, draft, preview.next.requests ?? []) : null;
  return next ? { ...kept, draft: next } : kept;
};
