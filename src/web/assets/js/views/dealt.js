/** The cubes that the service has dealt: each side's order goes to the service, which keeps it until both are there. */
import { t } from "../i18n.js";
import { draftOf, inTurn } from "../match.js";
import { freshId } from "../must.js";
import { emptyDraft } from "../draft.js";
import { nameOf } from "../places.js";
import { isKnown } from "../kinds.js";
import { refresh } from "../following.js";
import { append, Refused } from "../service.js";
import { write } from "../weighing.js";

/** @typedef {import("../match.js").Match} Match */
/** @typedef {import("../draft.js").Ask} Ask */
/** @typedef {import("../draft.js").NextRequest} NextRequest */
/** What a side chooses in secret, of what it was dealt: the ask of its order, and that of a cube that is rolled. @typedef {{ ask: Ask, request: NextRequest, roll: Ask | undefined }} Dealt */

/** The hand of a side, for the eyes of whoever holds its token. @param {Match} match @param {Ask} ask @returns {import("../draft.js").AskOption[]} */
const handOf = ({ view }, { side }) => Object(Object(view?.own)[side ?? ""]).hand ?? [];

/** What can be chosen in secret on this phone: the side that bowls first. @param {Match} match @returns {Dealt[]} */
export const dealtOf = (match) => {
  const { view } = match;
  const own = (view?.next.requests ?? []).filter(({ secret }) => secret);
  const dealt = own.flatMap((request) => {
    const order = request.asks.find((ask) => !isKnown(ask));
    const roll = request.asks.find(({ minimum }) => minimum !== undefined);
    const options = order ? handOf(match, order) : [];
    return order && options.length > 0 ? [{ request, ask: { ...order, options }, roll }] : [];
  });
  const bats = (/** @type {Dealt} */ { ask }) => Number(ask.side === view?.situation?.batting);
  return dealt.sort((one, other) => bats(one) - bats(other));
};

/** Sends an order, past what the browser keeps. Returns what is wrong. @param {Match} match @param {Dealt} dealt @param {unknown[]} values @param {unknown} roll */
export const seal = async (match, { request, ask, roll: rolled }, values, roll) => {
  const { signal, token, view } = match;
  const began = draftOf(match).changes["begin_over"] ?? {};
  // Who bowls was chosen in the open, where the over begins with that.
  const open = request.asks
    .filter(({ at }) => nameOf(at) in began)
    .map(({ at }) => [nameOf(at), began[nameOf(at)]]);
  const rolls = rolled && roll !== undefined ? [[nameOf(rolled.at), roll]] : [];
  const choice = Object.fromEntries([...open, [nameOf(ask.at), values], ...rolls]);
  const body = { ...request.body, choice };
  const call = { signal, token, key: freshId(), ifMatch: view?.head.hash ?? "", body };
  // What is written now is written here.
  match.judged = null;
  const wrong = await append(request.path, call).then(
    () => null,
    (error) => (error instanceof Refused ? error.message : t("cover.lost")),
  );
  await refresh(match);
  // Its answer may be lost, and the order there.
  if (dealtOf(match).some((left) => left.ask.side === ask.side)) return wrong ?? t("cover.lost");
  // What it has of the over's choices is chosen.
  if (open.length > 0) await inTurn(match, () => write(match, () => emptyDraft(match.id)));
  return null;
};
