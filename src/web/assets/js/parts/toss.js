// Draws the toss on one sheet: each of its two-way choices, then who won it, and Bat or Bowl.
import { html, nothing } from "../html.js";
import { choiceKeys } from "./keypad.js";
import { ways } from "./ways.js";

/** @typedef {import("../api.d.ts").components["schemas"]} Schemas */

/**
 * `asks`: those of the toss; `chosen`: the values by their `at`; `decision`: the ask of the winner, once it is known.
 * @param {{ asks: Schemas["Ask"][], chosen: Record<string, unknown>, decision?: Schemas["Ask"] | null, wrong?: string, action?: { words: string, ready: boolean } }} data
 * @param {{ choose: (at: string, value: any) => void, decide: (value: any) => void, confirm?: () => void }} send
 */
export const tossBody = ({ asks, chosen, decision, wrong, action }, send) => html`<div class="block">
  ${asks.map((ask) => ways({ name: `toss-${ask.at}`, title: ask.title, ways: ask.options ?? [], chosen: chosen[ask.at] }, { choose: (value) => send.choose(ask.at, value) }))}
  ${wrong ? html`<p><span class="label" dir="auto">${wrong}</span></p>` : nothing}
  ${action ? html`<button type="button" class="button" data-action="toss" aria-disabled=${action.ready ? nothing : "true"} @click=${() => { if (action.ready) send.confirm?.(); }}>${action.words}</button>` : nothing}
  ${decision ? html`<div class="decision"><h3 id="decision" dir="auto">${decision.title}</h3>${choiceKeys({ ways: decision.options ?? [], beside: true, labelledby: "decision" }, { choose: send.decide })}</div>` : nothing}
</div>`;
