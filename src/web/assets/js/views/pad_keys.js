/** What stands where the thumb is: the keys of what is asked, or why there are none. */
import { html, nothing } from "../html.js";
import { counted, t } from "../i18n.js";
import { looks } from "../looks.js";
import { types } from "../match.js";
import * as scoring from "../scoring.js";
import { diceOf } from "../draft.js";
import { nameOf } from "../places.js";
import { alternatives, isForm, kindOf, otherWays } from "../kinds.js";
import { nextWords } from "../parts/book.js";
import { heldBall, note, question, under } from "../parts/question.js";
import { resultWords, shortNamesOf, withShortNames } from "../parts/names.js";
import { answers, orders, sheets, steps } from "./pad_later.js";
import { isSecret, stepsTitle } from "./stepping.js";
import { shares } from "./sharing.js";

/** @typedef {import("./pad.js").Drawn} Pad */
/** @typedef {import("./pad.js").Verbs} Verbs */
/** @typedef {import("../draft.js").NextRequest} NextRequest */
/** @typedef {import("../draft.js").Ask} Ask */

/** What is asked, and a field above it where somebody wishes to type. @param {Pad} state @param {Verbs} verbs */
export const askOf = (state, verbs) =>
  isSecret(state)
    ? orders.draw(({ coverOf }) => coverOf(state.pad))
    : html`${looks().answers && types(state.match) ? answers.draw(({ fieldOf }) => fieldOf(state, verbs)) : nothing}${keysOf(state, verbs)}`;

/** @param {Pad} state @param {Verbs} verbs */
const keysOf = (state, verbs) => {
  const { match, now } = state;
  const { requests, due } = now;
  if (match.queue.stop) return sheets.draw(({ stopOf }) => stopOf(state, verbs));
  if (now.isOver) return sheets.draw(({ endOf }) => endOf(state.pad));
  if (!match.token) return watching(state, verbs);
  if (requests === null) return waiting(state, verbs);
  const ways = alternatives(requests);
  if (ways.length > 0) {
    const why = whyOf(
      ways.map(({ title, rulings }) => ({ title, rulings: rulings ?? [] })),
      verbs,
    );
    return sheets.draw(({ waysOf }) => waysOf(state, ways, why));
  }
  const whole = now.draft.request ?? due?.request;
  if (whole?.laid && !due) return orders.draw(({ playOf }) => playOf(state));
  if (whole && !whole.laid && isForm(whole)) return sheets.draw(({ formOf }) => formOf(state, whole));
  if (now.typed && requests.length === 0) return lastOf(state);
  if (!due) return buttons(state, requests, verbs);
  return keys(state, due.request, due.ask, verbs);
};

/** @param {Pad} state @param {NextRequest} request @param {Ask} ask @param {Verbs} verbs */
const keys = (state, request, ask, verbs) => {
  const { match, now } = state;
  const { before, isPassed } = state;
  if (before.length > 0 && !isPassed)
    return html`${head(state, { title: stepsTitle(before), text: ask.text ?? notesOf(now.shown, before) }, whyOf([...before.map((cell) => cell.ask), ask], verbs))}${steps.draw(({ stepsOf }) => stepsOf(state, before, verbs))}`;
  return html`${head(state, ask, whyOf([ask], verbs))}
    ${!match.isFresh && !match.preview && now.draft.answers.length > 0 ? under(t("waits.type_on")) : nothing}
    ${kindOf(ask).keys({ ...keysNow(state), ask, closed: false, elsewhere: () => sheets.draw(({ elsewhereOf }) => elsewhereOf(request, ask, verbs)) }, verbs)}
    ${otherWays(now.requests ?? []).map(
      (way) => html`<div class="actions"><button type="button" class="button other low" data-action="way"
      @click=${() => scoring.pick(match, way, now.question)}>${way.title}</button></div>`,
    )}`;
};

/** What opens the rules behind what is asked; nothing where it has none. @param {{title: string, rulings?: string[]}[]} asks @param {Verbs} verbs */
const whyOf = (asks, { rules }) => {
  const of = asks.flatMap(({ title, rulings = [] }) => (rulings.length > 0 ? [{ title, rulings }] : []));
  return of.length > 0 ? () => rules(of) : undefined;
};

/** The keys that were pressed. @param {Pad} state */
const keysNow = (state) => ({ pressed: pressedOf(state), missed: state.match.missed?.value });

/** The key that stays filled. The keys of the next question come clean. @param {Pad} state */
const pressedOf = ({ match: { pressed }, now }) => {
  const isAnswered = now.requests !== null && pressed?.question !== now.question;
  return !isAnswered && typeof pressed?.value === "number" ? pressed.value : null;
};

/** The ball that ends the match, until it is sent. @param {Pad} state */
const lastOf = (state) => {
  const { shown } = state.now;
  return shown
    ? [head(state, { title: resultWords(shown) }), sheets.draw(({ totalsOf }) => totalsOf(shown))]
    : nothing;
};

/** The question with the dice so far; or the ball that is kept here, whose keys below ask the next one. @param {Pad} state @param {{title: string, text?: string | null}} ask @param {() => void} [why] Opens the rules behind it. */
const head = ({ match, now }, ask, why) => {
  const { typed, shown } = now;
  const { answers } = now.draft;
  const { said } = match;
  if (typed && answers.length === 0) {
    const { preview, draft, title: word } = typed;
    const { option } = draft.answers[draft.answers.length - 1] ?? {};
    return heldBall({
      ...option,
      title: ask.title,
      word,
      dice: diceOf(draft.answers),
      text: overLine(shown) ?? (preview ? nextOf(now, preview) : ""),
      said,
    });
  }
  const soFar =
    answers.length > 0 ? match.preview?.so_far || ask.text : (overLine(shown) ?? ask.text ?? notesOf(shown));
  // What is laid stands in rows of its own.
  const own = now.draft.request?.laid ? {} : { text: soFar, dice: diceOf(answers) };
  return question({ title: ask.title, said, why, ...own });
};

/** What stands out of the next ball, else who bowls to whom; behind the last ball of a match who bowled that. @param {import("../match.js").Now} now @param {import("../deciding.js").Preview} last */
const nextOf = ({ requests, shown, cells }, { text }) => {
  if (!shown) return "";
  const [first] = shown.situation?.notes ?? [];
  if (requests && requests.length > 0) return first?.text ?? nextWords({ match: shown, cells });
  // The names stand before the colon of a ball's sentence.
  return withShortNames(shown, text ?? "").split(":")[0];
};

/** What the game has to say of the next ball, but for what stands there as a choice. @param {import("../match.js").Now["shown"]} shown @param {import("./stepping.js").Stepping["before"]} [there] */
const notesOf = (shown, there = []) =>
  shown?.situation?.notes
    .filter(({ id }) => !there.some(({ ask }) => nameOf(ask.at) === id))
    .map(({ text }) => text)
    .join("\u00a0· ");

/** The over that has just ended, in a line. @param {import("../match.js").Now["shown"]} shown */
const overLine = (shown) => {
  const ended = shown?.situation?.over_ended;
  if (!shown || !ended || shown.situation?.innings_ended) return null;
  const { number, runs, wickets } = ended;
  const name = shown.situation?.striker?.player;
  const scored = [
    counted("ball.runs", runs),
    ...(wickets > 0 ? [counted("over.wickets", wickets)] : []),
  ].join(", ");
  return t(name ? "over.faces" : "over.ended", {
    number,
    scored,
    name: name ? shortNamesOf(shown)(name) : "",
  });
};

/** The keys keep their place while the service is asked. Where it has refused what is typed, that is said. @param {Pad} state @param {Verbs} verbs */
const waiting = (state, verbs) => {
  const { match } = state;
  const { lastAsk } = match;
  const words = match.said ?? (match.isFresh ? t("waits") : t("waits.lost"));
  const line = html`<p class="under" id="waits">${words} ${match.isFresh ? nothing : html`<button type="button" class="link" data-action="try" @click=${() => scoring.tryNow(match)}>${t("sync.try")}</button>`}</p>`;
  if (!lastAsk || !kindOf(lastAsk).keepsKeys)
    return html`${question({ title: words })}${match.isFresh ? nothing : line}`;
  const unknown = { ...lastAsk, options: (lastAsk.options ?? []).map(({ value }) => ({ value, title: "" })) };
  return html`${head(state, { title: state.now.typed ? lastAsk.title : t("waits.title") })}${match.isFresh ? html`<p class="heard" id="waits">${words}</p>` : line}
    ${kindOf(unknown).keys({ ...keysNow(state), ask: unknown, closed: true, elsewhere: () => nothing }, verbs)}`;
};

/** Nothing is asked: what can be done. @param {Pad} state @param {NextRequest[]} requests @param {Verbs} verbs */
const buttons = (state, requests, verbs) => {
  const ball = requests.find(({ operation }) => operation === "bowl_ball");
  if (ball && state.match.view?.dice === "table") return orders.draw(({ turnOf }) => turnOf(state, verbs));
  if (ball) return orders.draw(({ bowlOf }) => bowlOf(state, requests, verbs));
  return sheets.draw(({ restOf }) => restOf(state, requests, verbs));
};

/** @param {Pad} state @param {Verbs} verbs */
const watching = ({ match, hand }, { take }) =>
  hand?.offer || hand?.left
    ? shares.draw(({ handPanel }) => handPanel(match.id, hand, take))
    : html`${note({ icon: "eye", title: match.said ?? t("watching"), text: t("watching.text") })}
  <div class="actions"><a class="button" href=${`/m/${match.id}/board`} data-action="board">${t("board.go")}</a></div>`;
