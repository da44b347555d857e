/** What a person wishes after a stop. It is seldom, and comes with what draws it. */
import { emptyDraft } from "./draft.js";
import { tryBrought } from "./following.js";
import { t } from "./i18n.js";
import { bring } from "./keys.js";
import { change } from "./match.js";
import { leftOut, remade } from "./outbox.js";
import { goOnWithKey, inTurn } from "./scoring.js";
import { goOn } from "./sending.js";

/** @typedef {import("./match.js").Match} Match */

/** The token in a link of a match, or a token alone. @param {string} text @returns {string | undefined} */
const tokenIn = (text) => {
  const [link, fragment] = text.trim().split("#");
  const found =
    new URLSearchParams(fragment ?? "").get("scorer") ?? (fragment === undefined ? link : undefined);
  return found && /^[\w.~+/=-]+$/.test(found) ? found : undefined;
};

/** Goes on after a stop: what was not sent is left out, or goes after what the service has now. @param {Match} match @param {"theirs" | "mine"} whose */
export const decide = (match, whose) =>
  void inTurn(match, async () => {
    const { stop } = match.queue;
    if (!stop) return;
    const next = emptyDraft(match.id);
    const head = match.view?.head.hash ?? null;
    await goOn(
      match.queue,
      whose === "theirs" ? leftOut(stop.entry.id, next) : remade(stop.entry.id, head, next),
    );
    change(match, { preview: null });
  });

/** Goes on with the token of a link, where the one that this browser has was refused. @param {Match} match @param {string} link */
export const enterLink = (match, link) =>
  void inTurn(match, async () => {
    const token = tokenIn(link);
    if (!token) return change(match, { said: t("key.no_link") });
    await bring(match.id, token);
    await tryBrought(match);
    if (!(await goOnWithKey(match)) && !match.said) change(match, { said: t("key.refused.none") });
  });
