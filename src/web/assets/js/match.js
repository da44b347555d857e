/** A match on this page: the only writer of its state. A wish of a person comes in as a verb of `send`. */
import * as api from "./service.js";
import * as db from "./db.js";
import { isPreviewed, preview } from "./decide.js";
import { asked, bodyOf, changeable, emptyDraft, isForm, remaining } from "./draft.js";
import { keyOf } from "./keys.js";
import { freshId } from "./must.js";
import { Outbox, step } from "./outbox.js";
import { owe, redraw } from "./owed.js";
import { after, endedBy } from "./signal.js";
import { follow } from "./stream.js";
import { t } from "./i18n.js";

/** @typedef {import("./service.js").MatchView} MatchView */
/** @typedef {import("./decide.js").Preview} Preview */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").NextRequest} NextRequest */
/** @typedef {import("./draft.js").AskOption} AskOption */
/** @typedef {import("./outbox.js").Entry} Entry */

/** How long a ball can be taken back before it goes. */
const HOLD = 4000;
/** How soon a second tap on the same key is a slip of the finger. */
const SLIP = 300;

/** @typedef {{entry: Entry, error: api.Refused, theirs: MatchView | null}} Stop */

export class Match {
  /** @type {MatchView | null} As the service has told it last. */
  view = null;
  /** @type {"loading" | "there" | "unknown" | "away"} */
  known = "loading";
  /** @type {string | undefined} */
  token;
  /** @type {Draft} The ball that is being typed. */
  draft;
  /** @type {Preview | null} What the draft comes to. */
  preview = null;
  /** @type {Stop | null} Why nothing goes any more. */
  stopped = null;
  /** Whether the service answers, and the stream has given a sign. */
  isFresh = true;
  /** @type {Date} When the service has last told the match. */
  since = new Date();
  /** @type {number | null} The seconds until the next try. */
  nextTry = null;
  /** @type {{value: unknown, until: number} | null} The key that stays filled. */
  pressed = null;
  /** @type {string | null} What is refused here, in words. */
  said = null;
  /** @type {string | null} What is spoken. */
  spoken = null;
  #turn = Promise.resolve();
  #hold = new AbortController();

  /** @param {string} id @param {AbortSignal} signal */
  constructor(id, signal) {
    this.id = id;
    this.signal = signal;
    this.draft = emptyDraft(id);
    this.outbox = new Outbox(id, {
      token: () => this.token,
      answered: (entry, answer) => this.#answered(entry, answer),
      refused: (entry, error) => void this.#refused(entry, error),
      late: (seconds) => this.change(() => ([this.nextTry, this.isFresh] = [seconds, false])),
      drained: () => this.#drained(),
      changed: redraw,
    }, signal);
  }

  /** The one way to change the state: the page is drawn after it. @template T @param {() => T} change */
  change(change) {
    const result = change();
    redraw();
    return result;
  }

  /** Reads what this browser has of the match, then the match, and follows it. */
  async open() {
    this.token = (await keyOf(this.id))?.scorer;
    await this.outbox.load();
    this.draft = (await db.get("drafts", this.id)) ?? this.draft;
    await this.refresh();
    if (this.outbox.held) this.#holdOn();
    void owe(this.#weigh());
    void this.outbox.send();
    const release = () => document.visibilityState === "hidden" && this.release();
    document.addEventListener("visibilitychange", release, { signal: this.signal });
    void follow(this.id, {
      after: () => this.view?.head.seq ?? 0,
      happened: () => void this.refresh(),
      fresh: (isFresh) => void this.#fresh(isFresh),
    }, this.signal);
  }

  /** @param {boolean} isFresh */
  async #fresh(isFresh) {
    if (isFresh && !this.isFresh) {
      this.outbox.wake();
      await this.refresh();
      await this.#weigh();
    }
    this.change(() => (this.isFresh = isFresh));
  }

  async refresh() {
    try {
      const view = await api.read(api.ofMatch(this.id), { signal: this.signal, token: this.token });
      this.change(() => {
        [this.known, this.since, this.isFresh] = ["there", new Date(), true];
        // An answer that was overtaken never takes the match back.
        if (!this.view || view.head.seq >= this.view.head.seq || this.outbox.isIdle) this.view = view;
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

  /** The step that is shown: after what is typed, else after what is not answered yet, else as the service has it. */
  get requests() {
    const { request, answers } = this.draft;
    if (request && answers.length > 0 && !isPreviewed(request.operation)) return [remaining(request, answers)];
    if (request && answers.length > 0) return this.preview?.next.requests ?? null;
    if (this.preview) return this.preview.next.requests;
    return this.base;
  }

  /** The step without what is typed: its defaults are the cells that can be changed. */
  get base() {
    const ahead = this.outbox.newest;
    if (ahead) return ahead.preview?.next.requests ?? null;
    return this.view?.next.requests ?? null;
  }

  /** The match as it will be once all is answered. @returns {MatchView | null} */
  get shown() {
    const ahead = this.outbox.newest?.preview;
    if (!this.view || !ahead?.score) return this.view;
    return { ...this.view, score: ahead.score, ...("situation" in ahead ? { situation: ahead.situation } : {}) };
  }

  /** Wishes wait for each other, so that two fingers make two taps. @param {() => Promise<void>} wish */
  #inTurn(wish) {
    const run = this.#turn.then(wish).catch((error) => void this.change(() => (this.said = String(error?.message ?? error))));
    this.#turn = run;
    return owe(run);
  }

  /** A key or a choice is pressed. @param {unknown} value */
  answer(value) {
    const now = Date.now();
    const before = this.pressed;
    if (before && before.value === value && now < before.until) return;
    const pressed = { value, until: now + SLIP };
    this.change(() => (this.pressed = pressed));
    const fade = () => this.pressed === pressed && (this.pressed = null);
    after(SLIP, () => this.change(fade), this.signal);
    void this.#inTurn(() => this.#take(value));
  }

  /** @param {unknown} value */
  async #take(value) {
    const found = asked(this.requests ?? []);
    if (!found || this.stopped) return;
    const { request, ask } = found;
    const option = ask.options?.find((option) => option.value === value);
    if (!option || option.why_not) {
      const words = option?.why_not ?? t("key.none", { title: ask.title, value: String(value) });
      return void this.change(() => ([this.said, this.pressed] = [words, null]));
    }
    this.release();
    const answer = { at: ask.at, value, title: option.title, sides: ask.options?.length ?? 6 };
    const { draft } = this;
    await this.#write({
      ...draft, request: draft.request ?? request, answers: [...draft.answers, answer], head: draft.head ?? this.#head(),
    });
    this.change(() => (this.said = null));
    await (option.runs === undefined ? this.#weigh(option) : this.#finish(option));
  }

  /** The head that something is made on; null where it is made on an entry without an answer. */
  #head() {
    return this.outbox.newest ? null : (this.view?.head.hash ?? null);
  }

  /** @param {Draft} draft */
  async #write(draft) {
    await db.put("drafts", draft);
    this.change(() => ([this.draft, this.preview] = [draft, null]));
  }

  /** Asks what the draft comes to, and makes an entry of it once it is whole. @param {AskOption} [option] */
  async #weigh(option) {
    const { draft } = this;
    const request = draft.request ?? this.#changed();
    if (!request) return;
    if (!isPreviewed(request.operation)) {
      const isOpen = isForm(request) || remaining(request, draft.answers).asks.some(({ required }) => required);
      return void (isOpen ? redraw() : await this.#finish(option ?? null));
    }
    if (!this.outbox.isIdle || this.stopped) return;
    const body = bodyOf(request, draft.answers, draft.changes[request.operation]);
    const found = await preview(request.path, body, this.signal).catch((error) => this.#unweighed(error));
    if (!found || draft !== this.draft) return;
    if (found.done && draft.answers.length > 0) return this.#finish(option ?? null, found);
    this.change(() => (this.preview = found));
  }

  /** The request whose choices were changed before an answer was given. */
  #changed() {
    const requests = this.base ?? [];
    return requests.find(({ operation }) => operation === "bowl_ball" && this.draft.changes[operation]) ?? null;
  }

  /** @param {unknown} error */
  #unweighed(error) {
    if (error instanceof api.Refused && !error.isPassing) this.change(() => (this.said = error.message));
    else this.change(() => (this.isFresh = false));
    return null;
  }

  /** The draft is whole: it becomes an entry. @param {AskOption | null} option @param {Preview} [found] */
  async #finish(option, found) {
    const { draft } = this;
    if (!draft.request) return;
    const isHeld = isPreviewed(draft.request.operation) && draft.answers.length > 0;
    const entry = this.#entry(option?.title ?? draft.request.title, isHeld ? "held" : "queued", this.#steps(draft, draft.request));
    Object.assign(entry, { draft, option, preview: found ?? null, head: draft.head });
    await this.outbox.add(entry);
    await this.#write(emptyDraft(this.id));
    if (!isHeld) return void this.outbox.send();
    this.#holdOn();
    if (!found) await this.#foresee(entry, draft.request);
    this.change(() => (this.spoken = [entry.preview?.text ?? entry.title, entry.preview?.score?.text].filter(Boolean).join(". ")));
  }

  /** The requests of a draft: the over first, where its choices were changed. @param {Draft} draft @param {NextRequest} request */
  #steps({ answers, changes }, request) {
    const body = bodyOf(request, answers, changes[request.operation]);
    const over = (this.base ?? []).find(({ operation }) => operation === "begin_over");
    const choices = changes["begin_over"];
    if (!over || !choices || request === over || request.operation === "begin_over") return [step(request.path, body)];
    return [step(over.path, bodyOf(over, [], choices)), step(request.path, body)];
  }

  /** @param {string} title @param {Entry["state"]} state @param {import("./outbox.js").Step[]} steps @returns {Entry} */
  #entry(title, state, steps) {
    const at = new Date().toISOString();
    return { id: freshId(), match: this.id, n: 0, title, steps, head: this.#head(), state, draft: this.draft, preview: null, option: null, at };
  }

  /** What a whole ball comes to: its sentence, the score, and the keys of the next one. @param {Entry} entry @param {NextRequest} request */
  async #foresee(entry, request) {
    if (this.outbox.entries[0] !== entry) return;
    const body = bodyOf(request, entry.draft.answers, entry.draft.changes[request.operation]);
    const found = await preview(request.path, body, this.signal).catch((error) => this.#unweighed(error));
    if (found && this.outbox.entries.includes(entry)) await this.outbox.change(entry, { preview: found });
  }

  #holdOn() {
    this.#hold.abort();
    this.#hold = endedBy(this.signal);
    after(HOLD, () => this.release(), this.#hold.signal);
  }

  /** The held ball goes. */
  release() {
    const { held } = this.outbox;
    this.#hold.abort();
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

  /** The ball before has its answer, so what was typed after it can be asked for. */
  #drained() {
    if (this.draft.answers.length > 0 && !this.preview) void this.#inTurn(() => this.#weigh());
  }

  /** @param {Entry} entry @param {api.Refused} error */
  async #refused(entry, error) {
    if (error.status === 401 || error.status === 403) this.change(() => (this.token = undefined));
    await this.refresh();
    this.change(() => (this.stopped = { entry, error, theirs: this.view }));
  }

  /** Takes back the last die, or opens the question why, for a ball that was sent. @returns {"undone" | "ask" | "nothing"} */
  undo() {
    const { held } = this.outbox;
    if (this.draft.answers.length > 0) return this.#back(() => ({ ...this.draft, answers: this.draft.answers.slice(0, -1) })), "undone";
    if (held) return this.#back(() => ({ ...held.draft, answers: held.draft.answers.slice(0, -1) }), held), "undone";
    return this.outbox.newest || !this.lastBall ? "nothing" : "ask";
  }

  /** @param {() => Draft} draft @param {Entry} [held] */
  #back(draft, held) {
    void this.#inTurn(async () => {
      if (held && held.state !== "held") return;
      this.#hold.abort();
      const before = draft();
      if (held) await this.outbox.drop(held);
      await this.#write(before.answers.length > 0 ? before : { ...before, request: null });
      this.change(() => ([this.pressed, this.said] = [null, null]));
      if (before.answers.length > 0) await this.#weigh();
    });
  }

  /** The last ball that the service has. */
  get lastBall() {
    return this.view?.situation?.last ?? null;
  }

  /** Takes the last ball back that was sent. @param {string} reason */
  correct(reason) {
    const last = this.lastBall;
    if (!last) return;
    this.#post(t("undone"), [step(api.ofMatch(this.id, "/corrections"), { voids_from: last.delivery, reason })]);
  }

  /** Sends a request that has nothing to be asked: Bowl, Bowl the over. @param {NextRequest} request */
  request(request) {
    this.#post(request.title, this.#steps(this.draft, request));
  }

  /** @param {string} title @param {import("./outbox.js").Step[]} steps */
  #post(title, steps) {
    void this.#inTurn(async () => {
      if (this.stopped) return;
      this.release();
      await this.outbox.add(this.#entry(title, "queued", steps));
      await this.#write(emptyDraft(this.id));
      await this.outbox.send();
    });
  }

  /** A choice of a form. @param {NextRequest} request @param {string} at @param {unknown} value */
  set(request, at, value) {
    void this.#inTurn(async () => {
      const answers = [...this.draft.answers.filter((answer) => answer.at !== at), { at, value, title: String(value), sides: 0 }];
      await this.#write({ ...this.draft, request, answers, head: this.#head() });
    });
  }

  /** The form is sent. */
  submit() {
    void this.#inTurn(() => this.#finish(null));
  }

  /** A default is changed, or taken again. @param {string} operation @param {string} at @param {unknown} value */
  choose(operation, at, value) {
    void this.#inTurn(async () => {
      this.release();
      const { changes } = this.draft;
      await this.#write({ ...this.draft, changes: { ...changes, [operation]: { ...changes[operation], [at]: value } } });
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

  /** Goes on after a stop: what was not sent is dropped, or made on the head that the service has now. @param {"theirs" | "mine"} whose */
  goOn(whose) {
    const { stopped } = this;
    if (!stopped) return;
    void this.#inTurn(async () => {
      if (whose === "theirs") await this.outbox.drop(stopped.entry);
      else await this.outbox.change(stopped.entry, { head: this.view?.head.hash ?? null, state: "queued" });
      this.outbox.isStopped = false;
      await this.#write(emptyDraft(this.id));
      this.change(() => (this.stopped = null));
      await this.refresh();
      await this.outbox.send();
    });
  }
}
