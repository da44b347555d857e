// Draws the board's own parts: its plates with what is needed, who was out last, and what stands at the end.
import { html, nothing, repeat } from "../html.js";
import { counted, ordered, t } from "../i18n.js";
import { dice } from "./dice.js";
import { resultWords, shortNamesOf } from "./names.js";
import { numeral } from "./numerals.js";
import { inningsShown, scoreWords, syncWords } from "./scorebox.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */

const point = () =>
  html`<svg class="digit" viewBox="0 0 18 100" aria-hidden="true"><path d="M0 82H18V100H0Z"></path></svg>`;

/** Plates with what they count below. A plate is keyed by its digit, so that one that changes flips. @param {string | number} number @param {string} counts @param {string} [looks] */
const group = (number, counts, looks = "") =>
  html`<span class=${`group ${looks}`}><span>${repeat(
    [...String(number)].map((digit, place) => ({ digit, key: `${place}:${digit}` })),
    ({ key }) => key,
    ({ digit }) =>
      html`<span class=${digit === "." ? "plate point" : looks === "fell" ? "plate fell" : "plate"}>${digit === "." ? point() : numeral(digit)}</span>`,
  )}</span><span class="caption">${counts}</span></span>`;

/** The plates of the board, hidden from readers. @param {{ runs: number, wickets: number, overs: string }} shown @param {MatchView} match @param {boolean} isOld */
const plates = ({ runs, wickets, overs }, { situation }, isOld) => {
  const digits = `${runs}${wickets}${overs}`.length - 1;
  const limit = situation?.balls_limit;
  const of = limit ? counted("board.overs_of", limit / 6) : t("board.overs");
  const looks = ["plates big", digits > 6 && "many", digits > 8 && "crowd", isOld && "stale"];
  return html`<span class=${looks.filter(Boolean).join(" ")} aria-hidden="true">${group(runs, t("board.total"))}${group(
    wickets,
    t("board.wickets"),
    wickets > 0 ? "fell" : "",
  )}${group(overs, of, "overs")}</span>`;
};

/** What is needed, or how far it is, or the result; and what stands below it. @param {MatchView} match */
const tells = (match) => {
  const now = match.situation;
  const { number, overs } = inningsShown(match);
  const result = resultWords(match);
  const at = html`<span class="narrow">${t("box.overs", { overs })}</span>`;
  if (result) return { need: result, below: [at] };
  if (!now && match.score.innings.length === 0) return { need: t("box.not_begun"), below: [] };
  if (!now?.need) {
    const rate = now && now.current_rate !== "0.00" ? t("box.rate", { rate: now.current_rate }) : "";
    return { need: rate || t("box.innings", { number }), below: [at] };
  }
  const { target, required_rate: rate } = now;
  const below = [
    at,
    target ? html`<span class="wide">${t("board.target", { target })}</span>` : nothing,
    rate ? html`<span>${t("board.required", { rate })}</span>` : nothing,
  ];
  return { need: now.need.text, below: below.filter((words) => words !== nothing) };
};

/** A side with what it made in the innings that are over; bold where it bats. @param {MatchView} match @param {"home" | "away"} side */
const sideOf = (match, side) => {
  const { situation, score } = match;
  const own = score.innings.filter(
    ({ batting, number }) => batting === side && number !== situation?.innings,
  );
  const made = own.map(({ runs }) => runs).join(" & ");
  return html`<span class=${situation?.batting === side ? "bats" : nothing} dir="auto">${match[side].name}</span>${made ? ` ${made}` : ""}`;
};

/**
 * The head of the board: both sides, the sync words, the plates, what is needed.
 * @param {{ match: MatchView, sync?: import("./scorebox.js").Sync, stale?: boolean, word?: unknown, before?: Schemas["InningsScore"] | null }} data `word`: what lies over the plates for a moment. `before`: the score while a review is not told to its end.
 * @param {{ sync: () => void }} send
 */
export const boardHead = ({ match, sync, stale = false, word = nothing, before = null }, send) => {
  const shown = { ...inningsShown(match), ...before };
  const { need, below } = tells(match);
  const limit = match.situation?.balls_limit;
  return html`<header class="box">
    <div class="top">
      <h1 class="team cut" tabindex="-1"><span class="narrow" aria-hidden="true" dir="auto">${shown.team}</span><span class="wide" aria-hidden="true">${sideOf(match, "home")} v ${sideOf(match, "away")}${limit ? html`<span class="limit"> · ${counted("board.limit", limit / 6)}</span>` : nothing}</span><span class="heard">${scoreWords(match)}</span></h1>
      ${sync ? syncWords(sync, send) : nothing}
    </div>
    <div class="score">
      <div class="hung">${plates(shown, match, stale)}${word}</div>
      <div class="tell">
        <p class=${need.length > 26 ? "need longest" : need.length > 16 ? "need long" : "need"} aria-hidden="true">${ordered(need)}</p>
        ${below.length > 0 ? html`<p class="rate">${below}</p>` : nothing}
        ${match.abandoned_for ? html`<p class="why" dir="auto">${match.abandoned_for}</p>` : nothing}
      </div>
    </div>
  </header>`;
};

/** Who was out last in this innings, and for how many. @param {MatchView} match @param {{ player: string, how: string, runs: number } | null} out */
export const lastOut = (match, out) =>
  out
    ? html`<p class="line last-out"><span class="quiet">${t("board.last_out")}</span><span class="cut"><bdi>${shortNamesOf(match)(out.player)}</bdi></span><span>${out.how} <b>${out.runs}</b></span></p>`
    : nothing;

/** The throw that turned the match. @param {MatchView} match @param {Schemas["Luck"] | null} luck */
export const turned = (match, luck) => {
  const [turn, winner] = [luck?.turn, luck?.result?.winner];
  if (!turn || !winner) return nothing;
  const { thrown, place, batting, swing } = turn;
  const of = { value: thrown.value, die: thrown.for, at: place.text, batting: match[batting].name };
  const said = { ...of, n: Math.round(100 * swing), side: match[winner].name };
  return html`<p class="last-ball turn"><span class="words lengthy">${t("board.turn", said)}</span>${dice([thrown])}</p>`;
};

/** The best of each innings: who made most, and who took most. @param {MatchView} match @param {Schemas["Scorecard"]} card */
export const best = (match, { innings }) => {
  const short = shortNamesOf(match);
  return html`<ol class="best" aria-label=${t("board.best")}>${innings.map(
    ({ bowling, batters, bowlers }) => {
      const faced = batters.filter(({ runs, balls }) => runs + balls > 0);
      const bat = faced.sort((one, other) => other.runs - one.runs || one.balls - other.balls)[0];
      const bowl = [...bowlers].sort((one, other) => other.wickets - one.wickets || one.runs - other.runs)[0];
      return [
        bat
          ? html`<li class="line"><span class="cut" dir="auto">${short(bat.player)}</span><span><b>${bat.runs}</b> (${bat.balls})</span></li>`
          : nothing,
        // A side that bowls in its own name has no best, and four innings leave room for who made most.
        bowl && bowl.wickets > 0 && bowl.player !== match[bowling].name && innings.length < 3
          ? html`<li class="line"><span class="cut" dir="auto">${short(bowl.player)}</span><b>${bowl.overs}-${bowl.maidens}-${bowl.runs}-${bowl.wickets}</b></li>`
          : nothing,
      ];
    },
  )}</ol>`;
};
