/** A match on this page, with the ball at hand: the only writer of its state. A wish of a person comes in as a verb. */
import * as db from "./db.js";
import { isPreviewed, preview } from "./decide.js";
import { alternatives, answerTo, asked, bodyOf, changeable, emptyDraft, isForm, remaining, same } from "./draft.js";
import { freshId } from "./must.js";
import { step } from "./outbox.js";
import { owe, redraw } from "./owed.js";
import { Sending } from "./sending.js";
import { Refused } from "./service.js";
import { after } from "./signal.js";
import { t } from "./i18n.js";

/** @typedef {import("./decide.js").Preview} Preview */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./draft.js").AskOption} AskOption */
/** @typedef {import("./outbox.js").Entry} Entry */

/** How soon a second tap on the same key is a slip of the finger. */
const SLIP = 300;

export class Match extends Sending {
  /** @type {{value: unknown, until: number} | null} The key that stays filled. */
  pressed = null;
  /** @type {string | null} What is spoken. */
  spoken = null;

  async open() {
    await super.open();
    void owe(this.#weigh());
  }

  async returned() {
    await super.returned();
    await this.#weigh();
  }

  async joinTabs() {
    await super.joinTabs();
    const draft = await db.get("drafts", this.id);
    if (!draft || JSON.stringify(draft) === JSON.stringify(this.draft)) return;
    this.change(() => ([this.draft, this.preview] = [draft, null]));
    // A ball is entered where its last die was typed.
    await this.#weigh(false);
  }

  /** The step that is shown: after what is typed, else after what is not answered yet, else as the service has it. */
  get requests() {
    const { request, answers } = this.draft;
    if (request && answers.length === 0 && this.#isOffered(request)) return [request];
    if (request && answers.length > 0 && !isPreviewed(request.operation)) return [remaining(request, answers)];
    if (request && answers.length > 0) return this.preview?.next.requests ?? null;
    if (this.preview) return this.preview.next.requests;
    return this.base;
  }

  /** A request that was picked, and that the match still waits for. @param {NextRequest} request */
  #isOffered(request) {
    return this.base?.some((offered) => same(offered, request)) ?? false;
  }

  /** A key or a choice is pressed. @param {unknown} value */
  answer(value) {
    if (!this.#press(value)) return;
    void this.inTurn(() => this.#take(value));
  }

  /** Whether a press counts: a second one on the same key is a slip for a while. @param {unknown} value */
  #press(value) {
    const now = Date.now();
    const before = this.pressed;
    if (before && before.value === value && now < before.until) return false;
    const pressed = { value, until: now + SLIP };
    this.change(() => (this.pressed = pressed));
    const fade = () => this.pressed === pressed && (this.pressed = null);
    after(SLIP, () => this.change(fade), this.signal);
    return true;
  }

  /** @param {unknown} value */
  async #take(value) {
    const found = asked(this.requests ?? []);
    if (!found || this.stopped) return;
    const { request, ask } = found;
    const option = answerTo(ask, value);
    if (!option || option.why_not) {
      const words = option?.why_not ?? t("key.none", { title: ask.title, value: String(value) });
      return void this.change(() => ([this.said, this.pressed] = [words, null]));
    }
    this.release();
    const answer = { at: ask.at, value, sides: ask.options?.length ?? 6, option };
    const { draft } = this;
    await this.write({
      ...draft, request: draft.answers.length > 0 ? draft.request : request, answers: [...draft.answers, answer], head: draft.head ?? this.head,
    });
    this.change(() => (this.said = null));
    await (option.runs === undefined ? this.#weigh() : this.#finish());
  }

  /** One of several requests that can answer the step: to accept, to review. @param {NextRequest} request */
  pick(request) {
    if (!this.#press(request.title)) return;
    if (request.asks.every(({ required }) => !required)) return this.request(request);
    void this.inTurn(async () => {
      this.release();
      await this.write({ ...this.draft, request });
    });
  }

  /** Asks what the draft comes to, and makes an entry of it once it is whole. @param {boolean} [enters] */
  async #weigh(enters = true) {
    const { draft } = this;
    const request = draft.request ?? this.#changed();
    if (!request || (draft.request && draft.answers.length === 0)) return;
    if (!isPreviewed(request.operation)) {
      const isOpen = isForm(request) || remaining(request, draft.answers).asks.some(({ required }) => required);
      return void (isOpen ? redraw() : enters && (await this.#finish()));
    }
    if (!this.isIdle || this.stopped) return;
    const found = await this.#previewOf(draft, request);
    if (!found || draft !== this.draft) return;
    if (found.done && draft.answers.length > 0) return void (enters && (await this.#finish(found)));
    this.change(() => ([this.preview, this.said] = [found, null]));
  }

  /** The request whose choices were changed before an answer was given: an over's can say what its ball asks. */
  #changed() {
    const changed = (this.base ?? []).filter(({ operation }) => isPreviewed(operation) && this.draft.changes[operation]);
    return changed[changed.length - 1] ?? null;
  }

  /** @param {unknown} error */
  #unweighed(error) {
    if (error instanceof Refused && !error.isPassing) this.change(() => (this.said = error.problem.detail ?? error.message));
    else this.change(() => (this.isFresh = false));
    return null;
  }

  /** The over that a draft begins, unless it was begun elsewhere meanwhile. @param {Draft} draft */
  #overOf({ id, over, changes }) {
    const isDue = over && (!this.base || this.base.some(({ operation }) => operation === over.operation));
    return isDue ? step(over.path, bodyOf(over, [], changes[over.operation]), `${id}-over`) : null;
  }

  /** What a draft comes to, after the over that begins before it. @param {Draft} draft @param {NextRequest} request @returns {Promise<Preview | null>} */
  #previewOf(draft, request) {
    const body = bodyOf(request, draft.answers, draft.changes[request.operation]);
    const over = this.#overOf(draft);
    if (over && request.operation === "bowl_ball") body.over = over.body;
    return preview(request.path, body, this.signal).catch((error) => this.#unweighed(error));
  }

  /** The draft is whole: it becomes an entry. @param {Preview} [found] */
  async #finish(found) {
    const { draft } = this;
    const { request } = draft;
    if (!request) return;
    if (!this.#overOf(draft)) draft.over = null;
    const isHeld = isPreviewed(request.operation) && draft.answers.length > 0;
    const title = draft.answers[draft.answers.length - 1]?.option?.title || request.title;
    const entry = await this.enter(title, isHeld ? "held" : "queued", this.#steps(draft, request), { preview: found ?? null, head: draft.head });
    if (!isHeld) return void this.outbox.send();
    this.holdOn();
    if (!found) await this.#foresee(entry, request);
    this.change(() => (this.spoken = [entry.preview?.text ?? entry.title, entry.preview?.score?.text].filter(Boolean).join(". ")));
  }

  /**
   * The requests of a draft: the over first, where its choices were changed. Their keys are the draft's, so that
   * two tabs that finish the same draft record it once.
   * @param {Draft} draft @param {NextRequest} request
   */
  #steps(draft, request) {
    const over = this.#overOf(draft);
    return [...(over ? [over] : []), step(request.path, bodyOf(request, draft.answers, draft.changes[request.operation]), draft.id)];
  }

  /** What a whole ball comes to: its sentence, the score, and the keys of the next one. @param {Entry} entry @param {NextRequest} request */
  async #foresee(entry, request) {
    if (this.outbox.entries[0] !== entry) return;
    const found = await this.#previewOf(entry.draft, request);
    if (found && this.outbox.entries.includes(entry)) await this.outbox.change(entry, { preview: found });
  }

  /** The ball before has its answer, so what was typed after it can be asked for. */
  drained() {
    if (this.draft.answers.length > 0 && !this.preview) void this.inTurn(() => this.#weigh());
  }

  /** Takes back the last die, or opens the question why, for a ball that was sent. @returns {"undone" | "ask" | "nothing"} */
  undo() {
    const { held } = this.outbox;
    if (this.draft.request) return this.#back(() => this.draft), "undone";
    if (held) return this.#back(() => ({ ...held.draft, id: freshId() }), held), "undone";
    return this.outbox.newest || !this.lastBall ? "nothing" : "ask";
  }

  /** @param {() => Draft} whole @param {Entry} [held] */
  #back(whole, held) {
    void this.inTurn(async () => {
      if (held && held.state !== "held") return;
      this.letGo();
      const before = whole();
      const answers = before.answers.slice(0, -1);
      if (held) await this.outbox.drop(held);
      // A request that was picked among others stays so until it is taken back itself.
      const isPicked = before.answers.length > 0 && alternatives(this.base ?? []).some((way) => before.request && same(way, before.request));
      await this.write({ ...before, answers, request: answers.length > 0 || isPicked ? before.request : null });
      this.change(() => ([this.pressed, this.said] = [null, null]));
      await this.#weigh();
    });
  }

  /** Sends a request that has nothing to be asked: Bowl, Bowl the over. @param {NextRequest} request */
  request(request) {
    this.post(request.title, this.#steps(this.draft, request));
  }

  /** A choice of a form. @param {NextRequest} request @param {string} at @param {unknown} value */
  set(request, at, value) {
    void this.inTurn(async () => {
      const answers = [...this.draft.answers.filter((answer) => answer.at !== at), { at, value, sides: 0 }];
      await this.write({ ...this.draft, request, answers, head: this.head });
    });
  }

  /** The form is sent. */
  submit() {
    void this.inTurn(() => this.#finish());
  }

  /** A default is changed, or taken again. @param {string} operation @param {string} at @param {unknown} value */
  choose(operation, at, value) {
    void this.inTurn(async () => {
      this.release();
      const { changes } = this.draft;
      const over = this.base?.find((request) => request.operation === operation && operation === "begin_over") ?? this.draft.over;
      await this.write({ ...this.draft, over, changes: { ...changes, [operation]: { ...changes[operation], [at]: value } } });
      await this.#weigh();
    });
  }

  /** The asks with a default, and what stands for each now. */
  get cells() {
    const chosen = (/** @type {string} */ operation) => this.draft.changes[operation] ?? {};
    return changeable(this.base ?? []).map(({ operation, ask }) => ({
      operation, ask, value: ask.at in chosen(operation) ? chosen(operation)[ask.at] : ask.default,
    }));
  }
}
