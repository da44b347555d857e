/** A match as the service tells it: it is read, and followed as it goes on. Nothing is sent from here. */
import * as api from "./service.js";
import { keyOf } from "./keys.js";
import { redraw } from "./owed.js";
import { follow } from "./stream.js";
import { t } from "./i18n.js";

/** @typedef {import("./service.js").MatchView} MatchView */

export class Followed {
  /** @type {MatchView | null} As the service has told it last. */
  view = null;
  /** @type {"loading" | "there" | "unknown" | "away"} */
  known = "loading";
  /** @type {string | undefined} */
  token;
  /** Whether the service answers, and the stream has given a sign. */
  isFresh = true;
  /** @type {Date} When the service has last told the match. */
  since = new Date();
  /** @type {string | null} What is refused here, in words. */
  said = null;

  /** @param {string} id @param {AbortSignal} signal */
  constructor(id, signal) {
    this.id = id;
    this.signal = signal;
  }

  /** The one way to change the state: the page is drawn after it. @template T @param {() => T} change */
  change(change) {
    const result = change();
    redraw();
    return result;
  }

  /** Reads the match, and follows it. */
  async open() {
    this.token = (await keyOf(this.id))?.scorer;
    await this.refresh();
    void follow(this.id, {
      after: () => this.view?.head.seq ?? 0,
      happened: () => void this.refresh(),
      fresh: (isFresh) => void this.#fresh(isFresh),
    }, this.signal);
  }

  /** @param {boolean} isFresh */
  async #fresh(isFresh) {
    if (isFresh && !this.isFresh) await this.returned();
    this.change(() => (this.isFresh = isFresh));
  }

  /** The service answers again. */
  async returned() {
    await this.refresh();
  }

  async refresh() {
    try {
      const view = await api.read(api.ofMatch(this.id), { signal: this.signal, token: this.token });
      this.change(() => {
        [this.known, this.since, this.isFresh] = ["there", new Date(), true];
        // An answer that was overtaken never takes the match back.
        if (!this.view || view.head.seq >= this.view.head.seq || this.isIdle) this.view = view;
      });
    } catch (error) {
      if (this.signal.aborted) return;
      if (error instanceof api.Refused && error.status === 403) return this.#forgetToken();
      const isUnknown = error instanceof api.Refused && [400, 404].includes(error.status);
      this.change(() => (isUnknown ? (this.known = "unknown") : ([this.isFresh, this.known] = [false, this.view ? "there" : "away"])));
    }
  }

  /** The token is not the match's any more: this page only watches. */
  async #forgetToken() {
    this.change(() => ([this.token, this.said] = [undefined, t("key.refused")]));
    await this.refresh();
  }

  /** Whether nothing is on its way to the service. */
  get isIdle() {
    return true;
  }

  /** The last ball that the service has. */
  get lastBall() {
    return this.view?.situation?.last ?? this.view?.last ?? null;
  }
}
