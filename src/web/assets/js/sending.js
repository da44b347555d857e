/** A match whose balls are sent from here: what is held, what is on its way, and why nothing goes any more. */
import * as api from "./service.js";
import * as db from "./db.js";
import { isPreviewed } from "./decide.js";
import { emptyDraft } from "./draft.js";
import { Followed } from "./followed.js";
import { keyOf } from "./keys.js";
import { Outbox, step } from "./outbox.js";
import { owe, redraw } from "./owed.js";
import { after, endedBy } from "./signal.js";
import { t } from "./i18n.js";

/** @typedef {import("./service.js").MatchView} MatchView */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Step} Step */
/** @typedef {{entry: Entry, error: api.Refused, theirs: MatchView | null}} Stop */

/** How long a ball can be taken back before it goes. */
const HOLD = 4000;

export class Sending extends Followed {
  /** @type {Draft} The ball that is being typed. */
  draft;
  /** @type {import("./decide.js").Preview | null} What the draft comes to. */
  preview = null;
  /** @type {Stop | null} Why nothing goes any more. */
  stopped = null;
  /** @type {number | null} The seconds until the next try. */
  nextTry = null;
  #turn = Promise.resolve();
  #hold = new AbortController();

  /** @param {string} id @param {AbortSignal} signal */
  constructor(id, signal) {
    super(id, signal);
    this.draft = emptyDraft(id);
    this.outbox = new Outbox(id, {
      token: () => this.token,
      answered: (entry, answer) => this.#answered(entry, answer),
      refused: (entry, error) => void this.#refused(entry, error),
      late: (seconds) => this.change(() => ([this.nextTry, this.isFresh] = [seconds, false])),
      drained: () => this.drained(),
      changed: redraw,
    }, signal);
  }

  /** Reads what this browser has of the match before the match, and goes on with it. */
  async open() {
    db.otherTabs(() => void this.inTurn(() => this.joinTabs()), this.signal);
    await this.outbox.load();
    this.draft = (await db.get("drafts", this.id)) ?? this.draft;
    await super.open();
    this.#goOnSending();
    const release = () => document.visibilityState === "hidden" && this.release();
    document.addEventListener("visibilitychange", release, { signal: this.signal });
  }

  /** Sends what is kept, and follows nothing. */
  async sendKept() {
    this.token = (await keyOf(this.id))?.scorer;
    await this.outbox.load();
    this.#goOnSending();
  }

  #goOnSending() {
    if (this.outbox.held) this.holdOn();
    void this.outbox.send();
  }

  async returned() {
    this.outbox.wake();
    await super.returned();
  }

  /** Another tab of this browser has written: both show the same. */
  async joinTabs() {
    const before = this.outbox.held;
    await this.outbox.load();
    if (this.outbox.held !== before) this.#goOnSending();
    this.change(() => {});
  }

  get isIdle() {
    return this.outbox.isIdle;
  }

  /** The newest ball or review that was typed here and has no answer yet. */
  get typed() {
    const { newest } = this.outbox;
    return newest?.draft.request && isPreviewed(newest.draft.request.operation) && newest.draft.answers.length > 0 ? newest : null;
  }

  /** Whether the match has ended, and nothing is on its way that changes it. */
  get isOver() {
    return ["completed", "abandoned"].includes(this.view?.status ?? "") && this.isIdle;
  }

  /** The match as it will be once all is answered. @returns {MatchView | null} */
  get shown() {
    const ahead = this.outbox.newest?.preview;
    if (!this.view || !ahead?.score) return this.view;
    const { score, situation = null, result = null } = ahead;
    return { ...this.view, score, situation, result };
  }

  /** The step without what is typed: its defaults are the cells that can be changed. */
  get base() {
    const ahead = this.outbox.newest;
    return (ahead ? ahead.preview : this.view)?.next.requests ?? null;
  }

  /** The head that something is made on; null where it is made on an entry without an answer. */
  get head() {
    return this.outbox.newest ? null : (this.view?.head.hash ?? null);
  }

  /** Wishes wait for each other, so that two fingers make two taps. @param {() => Promise<void>} wish */
  inTurn(wish) {
    const run = this.#turn.then(wish).catch((error) => void this.change(() => (this.said = String(error?.message ?? error))));
    this.#turn = run;
    return owe(run);
  }

  /** @param {Draft} draft */
  async write(draft) {
    await db.put("drafts", draft);
    this.change(() => ([this.draft, this.preview] = [draft, null]));
  }

  /** @param {string} title @param {Entry["state"]} state @param {Step[]} steps @param {Partial<Entry>} [more] @returns {Promise<Entry>} */
  async enter(title, state, steps, more) {
    const { draft } = this;
    /** @type {Entry} */
    const entry = {
      id: draft.id, match: this.id, n: 0, title, steps, head: this.head, state, draft, preview: null,
      at: new Date().toISOString(), ...more,
    };
    await this.outbox.add(entry);
    await this.write(emptyDraft(this.id));
    return entry;
  }

  holdOn() {
    this.letGo();
    this.#hold = endedBy(this.signal);
    after(HOLD, () => this.release(), this.#hold.signal);
  }

  /** The time of the held ball ends here. */
  letGo() {
    this.#hold.abort();
  }

  /** The held ball goes. */
  release() {
    const { held } = this.outbox;
    this.letGo();
    if (!held) return;
    held.state = "queued";
    void owe(this.outbox.change(held, {}).then(() => void this.outbox.send()));
  }

  /** @param {Entry} entry @param {any} answer */
  async #answered(entry, answer) {
    const next = entry.preview?.next ?? answer.next;
    const situation = answer.situation ?? entry.preview?.situation;
    this.change(() => {
      [this.nextTry, this.isFresh, this.since] = [null, true, new Date()];
      if (this.view && answer.head.seq > this.view.head.seq) {
        this.view = { ...this.view, head: answer.head, score: answer.score, next, ...(situation === undefined ? {} : { situation }) };
      }
      if (this.draft.answers.length > 0 && this.draft.head === null) this.draft.head = answer.head.hash;
    });
    await this.refresh();
  }

  /** The ball before has its answer. */
  drained() {}

  /** @param {Entry} entry @param {api.Refused} error */
  async #refused(entry, error) {
    if (error.status === 401 || error.status === 403) this.change(() => (this.token = undefined));
    await this.refresh();
    this.change(() => (this.stopped = { entry, error, theirs: this.view }));
  }

  /** Goes on after a stop: what was not sent is dropped, or made on the head that the service has now. @param {"theirs" | "mine"} whose */
  goOn(whose) {
    const { stopped } = this;
    if (!stopped) return;
    void this.inTurn(async () => {
      if (whose === "theirs") await this.outbox.drop(stopped.entry);
      else await this.outbox.change(stopped.entry, { head: this.view?.head.hash ?? null, state: "queued" });
      this.outbox.isStopped = false;
      await this.write(emptyDraft(this.id));
      this.change(() => (this.stopped = null));
      await this.refresh();
      await this.outbox.send();
    });
  }

  /** Sends what needs no time to be taken back. @param {string} title @param {Step[]} steps */
  post(title, steps) {
    void this.inTurn(async () => {
      if (this.stopped) return;
      this.release();
      await this.enter(title, "queued", steps);
      await this.outbox.send();
    });
  }

  /** Takes the last ball back that was sent. @param {string} reason */
  correct(reason) {
    const last = this.lastBall;
    if (!last) return;
    this.post(t("undone"), [step(api.ofMatch(this.id, "/corrections"), { voids_from: last.delivery, reason })]);
  }
}

/** Sends what was kept when a pad was left, of all matches. @param {AbortSignal} signal */
export const sendAllKept = async (signal) => {
  const kept = new Set((await db.all("entries")).map(({ match }) => match));
  for (const id of kept) await new Sending(id, signal).sendKept();
};
