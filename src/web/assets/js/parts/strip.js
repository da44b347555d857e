// Draws this over: a cell a delivery, the next one open, the held one with its ring, the kept one dashed.
import { html, nothing, repeat } from "../html.js";
import { t } from "../i18n.js";
import { die } from "./dice.js";
import { icon } from "./icons.js";
import { ballWords, cellWords } from "./names.js";

/** @typedef {import("../../../api.d.ts").components["schemas"]} Schemas */
/** @typedef {Schemas["DeliveryCell"]} Delivery */
/** @typedef {import("./dice.js").Shown} Shown */

/** @param {Pick<Delivery, "cell" | "boundary" | "wicket">} ball */
const looksOf = ({ cell, boundary, wicket }) =>
  `${wicket ? "wicket" : boundary ? "boundary" : ""}${/^(?:\d+|[•W])$/u.test(cell) ? "" : " extra"}`;

/** The sign of a cell; a dot is drawn. @param {string} sign */
const signOf = (sign) => (sign === "•" ? html`<span class="dot"></span>` : sign);

/**
 * `4.3`: the over is counted from none, and its balls with wides and no-balls. Where some came before it the legal ball
 * of a scorer stands beside it: `4.3, legal ball 2`. @param {Delivery["place"]} place @param {Delivery[]} [deliveries] Those of its over.
 */
export const placeWords = ({ innings, over, ball }, deliveries = []) => {
  const own = deliveries.filter(
    ({ place }) => place.innings === innings && place.over === over && place.ball <= ball,
  );
  const legal = own.filter((delivery) => delivery.legal).length;
  const at = `${over - 1}.${ball}`;
  const isOther =
    legal < own.length && own.some((delivery) => delivery.legal && delivery.place.ball === ball);
  return isOther ? t("strip.delivery", { at, n: legal }) : at;
};

/** A delivery as a reader hears it: `4.2, wicket, Quinn caught`. @param {Delivery} delivery @param {Delivery[]} deliveries Those of its over. */
export const deliveryWords = (delivery, deliveries) => {
  const { place, wicket } = delivery;
  const what = wicket
    ? [cellWords(delivery), t("cell.wicket", { name: wicket.player_out, how: wicket.kind })]
    : [ballWords(delivery)];
  return [placeWords(place, deliveries), ...what].filter(Boolean).join(", ");
};

const ring = () => html`<span class="ring" aria-hidden="true"><i><b></b></i><i><b></b></i></span>`;

/** @param {Delivery} delivery @param {Delivery[]} deliveries Those of its over. @param {boolean} held @param {Send} send */
const cellOf = (
  delivery,
  deliveries,
  held,
  send,
) => html`<li><button type="button" class=${`cell ${looksOf(delivery)} ${held ? "held" : ""}`}
  data-ball=${delivery.delivery} @click=${() => send.ball(delivery.delivery)}>
  ${held ? ring() : nothing}<span class="heard">${deliveryWords(delivery, deliveries)}</span><span aria-hidden="true">${signOf(delivery.cell)}</span></button></li>`;

/** @typedef {{ ball: (delivery: number) => void, earlier?: () => void }} Send ball: opens a delivery. earlier: opens those before. */

/**
 * The strip. `held`: the last cell is a ball that still can be taken back without a trace. `kept`: dice of a ball that
 * waits on this phone and whose outcome is not known yet.
 * @param {{ over: Pick<Schemas["OverNow"], "deliveries" | "legal_left"> | null | undefined, held?: boolean, kept?: Shown[] }} data @param {Send} send
 */
export const strip = ({ over, held = false, kept }, send) => {
  if (!over && !kept) return nothing;
  const deliveries = over?.deliveries ?? [];
  const left = (over?.legal_left ?? 6) - (kept ? 1 : 0);
  // In a long over the balls that were bowled need the room.
  const blank = Math.max(0, Math.min(left, Math.max(1, 8 - deliveries.length)));
  const last = deliveries.at(-1)?.delivery;
  return html`<newest-in-sight class="strip">${send.earlier ? html`<button type="button" class="cell" data-action="earlier" aria-label=${t("earlier")} @click=${() => send.earlier?.()}>${icon("back")}</button>` : nothing}<ol aria-label=${t("strip")}>
    ${repeat(
      deliveries,
      ({ delivery }) => delivery,
      (delivery) => cellOf(delivery, deliveries, held && delivery.delivery === last, send),
    )}
    ${kept ? html`<li><span class="cell kept"><span class="pair">${kept.map(die)}</span><span class="heard">${t("strip.kept")}</span></span></li>` : nothing}
    ${Array.from({ length: blank }, (_, place) => html`<li aria-hidden="true"><span class=${place === 0 ? "cell next" : "cell"}></span></li>`)}
  </ol></newest-in-sight>`;
};

/** A cell that leads to the page of its ball. @param {Pick<Delivery, "cell" | "boundary" | "wicket" | "place">} ball @param {string} href */
export const cellLink = (ball, href) =>
  html`<a class=${`cell ${looksOf(ball)}`} href=${href}><span class="heard">${placeWords(ball.place)}, </span>${signOf(ball.cell)}</a>`;

/** A cell that is only looked at. @param {Pick<Delivery, "cell" | "boundary" | "wicket">} ball */
export const cellAlone = (ball) =>
  html`<span class=${`cell ${looksOf(ball)}`} aria-hidden="true">${signOf(ball.cell)}</span>`;
