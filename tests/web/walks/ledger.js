/**
 * What a person can rely on, from what the screens have shown: a ball that was shown is recorded once and in
 * order, unless it was taken back; of a ball that was not finished, only the last die may be lost.
 */

/** @typedef {{key: string, dice: number[], state: "owed" | "maybe" | "gone", by?: import("./page.js").Page, seenBy: Set<import("./page.js").Page>, isUntold: boolean}} Shown `isUntold`: a page that did not type it showed it first. The tab that did may have died and told nobody. */

export class Ledger {
  /** What was shown as an entry, by its id. @type {Map<string, Shown>} */
  balls = new Map();
  /** The dice that are owed of a draft, by its id. @type {Map<string, number[]>} */
  drafts = new Map();
  /** The drafts of which nothing is owed any more. @type {Set<string>} */
  loose = new Set();
  /** The drafts of which a die is being taken back, with how many dice each had. @type {Map<string, {page: any, count: number}>} */
  undone = new Map();
  hasLeftOut = false;
  hasDecided = false;
  /** The dice that were tapped, each behind the first of its ball: `0 13`, `1 13 4`. @type {Set<string>} */
  tapped = new Set();
  /** The digits that were typed on a keyboard. @type {Set<number>} */
  digits = new Set();
  /** What may stand for a choice of a draft, by both: what the screen shows, and what was chosen since. @type {Map<string, Set<string>>} */
  choices = new Map();
  /** The pages on which a person has wished to undo, until that is written. @type {Set<import("./page.js").Page>} */
  undoing = new Set();
  /** The pages on which a die of a draft was typed, by its id. @type {Map<string, Set<import("./page.js").Page>>} */
  typers = new Map();
  /** The drafts that an Undo has left, and that are not written yet. @type {Set<string>} */
  unwritten = new Set();
  /** What was chosen for a draft, and waits to be written. @type {Map<string, string[]>} */
  choosing = new Map();
  /** The last event that there was when something was chosen last. */
  chosenAt = 0;
  /** What was chosen while something was on its way, by the keys of that: a correction of these was wished before. @type {Map<string, string[]>} */
  chosenBehind = new Map();
  /** Whether a browser has kept nothing for a while. */
  hasForgotten = false;
  /** The last event that was known where a draft was begun. @type {Map<string, number>} */
  begun = new Map();

  /** @param {import("./browser.js").Browser} browser @param {boolean} othersScore */
  constructor(browser, othersScore) {
    this.browser = browser;
    this.othersScore = othersScore;
  }

  /** @param {string} what */
  #fault(what) {
    this.browser.world.fault(what);
  }

  /** A page has drawn a frame. @param {import("./page.js").Page} page @param {any} screen */
  drew(page, screen) {
    const { stop, said, stranger, entries, draft, fault } = screen;
    if (stranger && !this.browser.service.foreign.has(stranger))
      this.#fault(`what this phone has written is told as another's: ${stranger}`);
    if (stop && !this.othersScore && !this.hasForgotten)
      this.#fault(`a person is asked, though nobody else scores: ${stop.status}`);
    if (said === "typed.gone") this.#goes();
    if (/Cannot read|is not a|undefined|Error/.test(said ?? "")) this.#fault(`the page fails: ${said}`);
    const isOpen = this.browser.tabs.some(({ taking }) => taking > 0);
    if (!isOpen && draft.dice.length < (this.undone.get(draft.id)?.count ?? 0)) this.undone.delete(draft.id);
    for (const entry of entries) this.#entry(entry, page, fault);
    this.hasForgotten ||= Boolean(fault);
    for (const { ask, value } of screen.cells) {
      const choice = `${draft.id} ${ask.at}`;
      // What waits to be written counts. While another tab writes, so does what stood there before: its die may end
      // the ball.
      const before = this.#writesBesideOthers(page, draft) ? (this.choices.get(choice) ?? []) : [];
      this.choices.set(choice, new Set([value, ...before, ...(this.choosing.get(choice) ?? [])]));
    }
    const isWritten = this.#isWritten(page, draft);
    if (draft.dice.length > 0 && !this.begun.has(draft.id)) this.begun.set(draft.id, screen.seq);
    this.#takenBack(page, screen);
    if (!this.loose.has(draft.id) && !fault && !isOpen && isWritten) {
      const before = this.drafts.get(draft.id) ?? [];
      if (draft.dice.length - 1 > before.length) this.drafts.set(draft.id, draft.dice.slice(0, -1));
    }
    if (screen.isLoaded && this.browser.tabs.length === 1) this.#keeps(page, screen);
  }

  /** Whether a draft is known to the store. What Undo leaves has an id of its own before that is written. @param {import("./page.js").Page} page @param {any} draft */
  #isWritten(page, { id, dice }) {
    const { match } = page;
    if (match.queue.ahead.length === 0) this.unwritten.delete(id);
    else if (this.undoing.has(page) && dice.length > 1 && !this.begun.has(id)) this.unwritten.add(id);
    if (page.taking === 0 && match.queue.ahead.length === 0) this.undoing.delete(page);
    return !this.unwritten.has(id);
  }

  /** Whether a page shows what is not written yet, of a draft that another tab types too. @param {import("./page.js").Page} page @param {any} draft */
  #writesBesideOthers(page, { id }) {
    return page.match.queue.ahead.length > 0 && [...(this.typers.get(id) ?? [])].some((one) => one !== page);
  }

  /** A screen says that what was typed counts no more, which only others can bring about. */
  #goes() {
    if (!this.othersScore && !this.hasForgotten)
      this.#fault("what was typed goes, though nobody else scores");
    this.loosens();
  }

  /** @param {any} entry @param {import("./page.js").Page} page @param {string | null} fault */
  #entry({ id, key, dice }, page, fault) {
    const known = this.balls.get(id);
    // A browser that forgot gives back a ball that is recorded as it was before its last die.
    const isGivenBack = this.hasForgotten && this.recorded(id);
    if (known && `${known.dice}` !== `${dice}` && !isGivenBack)
      this.#fault(`the ball ${known.dice} is shown as ${dice}`);
    dice.forEach((/** @type {number} */ die, /** @type {number} */ place) => {
      const key = place === 0 ? `0 ${die}` : `${place} ${dice[0]} ${die}`;
      if (!this.tapped.has(key) && !this.digits.has(die))
        this.#fault(`the ball ${dice} has a die ${place + 1} that was not tapped for it`);
    });
    // Its last die was under way when a person took back a die.
    const by = this.undone.get(id)?.page;
    if (!known) {
      const isUntold = !this.typers.get(id)?.has(page);
      this.balls.set(id, {
        key,
        dice,
        state: fault || by ? "maybe" : "owed",
        by,
        seenBy: new Set(),
        isUntold,
      });
    }
    this.balls.get(id)?.seenBy.add(page);
  }

  /** A ball that was taken back, and of which the screen says so, is gone. @param {import("./page.js").Page} page @param {any} screen */
  #takenBack(page, { entries, draft }) {
    if (page.match.queue.ahead.length > 0) return;
    for (const [id, ball] of this.balls) {
      // What Undo leaves has another id: that the draft still has it is older than the wish.
      if (draft.id === id) continue;
      if (
        ball.state !== "maybe" ||
        ball.by !== page ||
        entries.some((/** @type {any} */ one) => one.id === id)
      )
        continue;
      const isTyped = `${draft.dice}` === `${ball.dice.slice(0, -1)}`;
      if (!this.recorded(id) && isTyped) ball.state = "gone";
    }
  }

  /** All that is owed is in sight of the only page, or recorded. @param {import("./page.js").Page} page @param {any} screen */
  #keeps(page, { entries, draft }) {
    const ids = new Set(entries.map((/** @type {any} */ { id }) => id));
    for (const [id, { dice, state, seenBy, isUntold }] of this.balls) {
      const isKnown = !isUntold || seenBy.has(page);
      if (state === "owed" && isKnown && !ids.has(id) && !this.recorded(id))
        this.#fault(`the ball ${dice} was shown, and is lost`);
    }
    for (const [id, dice] of this.drafts) {
      const isKept = this.loose.has(id) || ids.has(id) || this.recorded(id) || this.balls.has(id);
      const isTyped = draft.id === id && `${draft.dice.slice(0, dice.length)}` === `${dice}`;
      if (!isKept && !isTyped)
        this.#fault(`the dice ${dice} were shown, and are lost: ${draft.dice} are there`);
    }
  }

  /** Whether the service has an entry, or somebody else's that is alike. @param {string} id */
  recorded(id) {
    return (
      this.browser.service.answers.has(this.balls.get(id)?.key ?? id) ||
      this.#isElsewhere(id, this.hasForgotten)
    );
  }

  /** Whether a ball that is alike is recorded: by somebody else, or before this browser forgot it. @param {string} id @param {boolean} mayForget */
  #isElsewhere(id, mayForget) {
    const { log } = this.browser.service;
    const dice = this.balls.get(id)?.dice;
    return log.some(({ ball }) => ball && (mayForget || !ball.isOwn) && `${ball.dice}` === `${dice}`);
  }

  /** A person taps a die. @param {any} draft @param {number} value @param {import("./page.js").Page} [page] On which. */
  taps({ dice }, value, page) {
    this.tapped.add(dice.length === 0 ? `0 ${value}` : `${dice.length} ${dice[0]} ${value}`);
    if (page) this.#types(page);
  }

  /** A person types a digit on a keyboard. @param {import("./page.js").Page} page @param {number} digit */
  types(page, digit) {
    this.digits.add(digit);
    this.#types(page);
  }

  /** The tab that begins a ball has shown what the ball goes behind; another one may draw the die first. @param {import("./page.js").Page} page */
  #types(page) {
    const { draft, seq } = page.screen;
    const { id } = draft;
    if (draft.dice.length === 0) this.begun.set(id, Math.max(seq, this.begun.get(id) ?? 0));
    this.typers.set(id, (this.typers.get(id) ?? new Set()).add(page));
  }

  /** A person chooses what has a default. @param {import("./page.js").Page} page @param {any} draft @param {string} at @param {string} value @param {Promise<void>} written Ends when it is. */
  chooses(page, { id }, at, value, written) {
    const choice = `${id} ${at}`;
    this.choices.get(choice)?.add(value);
    this.choosing.set(choice, [...(this.choosing.get(choice) ?? []), value]);
    const notes = () => (this.chosenAt = this.browser.service.head.seq);
    notes();
    void written.then(() => {
      this.choosing.set(choice, (this.choosing.get(choice) ?? []).slice(1));
      for (const { key } of page.sees().entries)
        this.chosenBehind.set(key, [...(this.chosenBehind.get(key) ?? []), value]);
      notes();
    });
  }

  /** A person takes back what a screen shows. @param {import("./page.js").Page} page @param {any} screen */
  undoes(page, { undo, draft, entries }) {
    this.undoing.add(page);
    if (undo === "draft") {
      this.loose.add(draft.id);
      this.undone.set(draft.id, { page, count: draft.dice.length });
    }
    const held = entries.find((/** @type {any} */ { state }) => state === "held");
    if (undo !== "held" || !held) return;
    // It may not have been drawn yet.
    this.#entry(held, page, null);
    const ball = this.balls.get(held.id);
    if (ball?.state === "owed") Object.assign(ball, { state: "maybe", by: page });
  }

  /** A person decides how it goes on after a stop. @param {any} screen @param {string} whose */
  decides({ stop, draft }, whose) {
    this.loose.add(draft.id);
    this.loosens();
    const ball = this.balls.get(stop.id);
    this.hasLeftOut ||= whose === "theirs";
    this.hasDecided = true;
    if (ball && whose === "theirs") ball.state = "maybe";
  }

  /** Nothing is owed of what was typed so far, and is no ball. */
  loosens() {
    for (const id of this.drafts.keys()) this.loose.add(id);
  }

  /** The log at the end, and meanwhile. @param {boolean} isEnd */
  checks(isEnd) {
    const { own } = this.browser.service;
    const order = [...this.balls.values()].map(({ key }) => key);
    const places = own.map(({ key }) => order.indexOf(key)).filter((place) => place >= 0);
    if (places.some((place, at) => place <= Number(places[at - 1])))
      this.#fault("balls are in the log in another order than on the screen");
    // A ball behind one that was left out has a face that is asked again: by a person, or since somebody else has it.
    const elsewhere = [...this.balls.keys()].filter((id) => this.#isElsewhere(id, false)).length;
    const isBehind = (/** @type {{dice: number[]}} */ { dice }, /** @type {number} */ place) =>
      Number(own[place - 1]?.dice[0]) >= Number(dice[0]);
    const behind = own.filter(isBehind);
    if (!this.hasLeftOut && behind.length > elsewhere)
      this.#fault(
        `the ball ${behind.at(-1)?.dice} is in the log behind one that was asked as late, or later`,
      );
    for (const { dice, key, bowler, stroke } of own) {
      if (!this.tapped.has(`0 ${dice[0]}`)) this.#fault(`the ball ${dice} was never tapped`);
      const shown = this.balls.get(key);
      if (shown?.state === "gone") this.#fault(`the ball ${dice} was taken back, and is in the log`);
      if (shown && `${shown.dice}` !== `${dice}`)
        this.#fault(`the ball ${shown.dice} is in the log as ${dice}`);
      for (const [at, value] of Object.entries({ bowler, "choices.stroke": stroke })) {
        const seen = this.choices.get(`${key} ${at}`);
        if (shown && !this.othersScore && seen && !seen.has(value))
          this.#fault(`the ball ${dice} has the ${at} ${value}, and not ${[...seen]}`);
      }
    }
    this.#unseen();
    this.#chosenAgain();
    if (isEnd)
      for (const [id, { dice, state }] of this.balls)
        if (state === "owed" && !this.recorded(id))
          this.#fault(`the ball ${dice} was shown, and is not in the log`);
  }

  /** A ball goes behind nothing of others that the screen has not shown, unless a person says so. */
  #unseen() {
    if (this.hasDecided) return;
    const { log } = this.browser.service;
    const shown = new Set([...this.balls.values()].map(({ dice }) => `${dice}`));
    // A ball that was typed here as well is no news.
    const others = log.filter(({ ball }) => ball?.isOwn === false && !shown.has(`${ball.dice}`));
    // One that a tab has typed where it was shown leads all that follow in any tab behind it.
    const isSeen = (/** @type {{seq: number}} */ { seq }, /** @type {number} */ before) =>
      log.some(
        (event) =>
          event.seq > seq &&
          event.seq < before &&
          event.ball?.isOwn &&
          Number(this.begun.get(event.ball.key)) >= seq,
      );
    for (const { seq, ball } of log) {
      const since = ball?.isOwn && this.begun.get(ball.key);
      const other =
        since && others.find((event) => event.seq > since && event.seq < seq && !isSeen(event, seq));
      if (other)
        this.#fault(`the ball ${ball?.dice} went behind ${other.ball?.dice} of somebody else unseen`);
    }
  }

  /** What was chosen for a ball that was taken back is chosen for the next one, unless a person has chosen since. */
  #chosenAgain() {
    if (this.othersScore || this.hasDecided || this.hasForgotten) return;
    const log = this.browser.service.log.filter(({ kind }) => kind !== "dispute");
    log.forEach(({ kind, seq, key }, at) => {
      const [before, [first, second]] = [log[at - 1], log.slice(at + 1, at + 3)];
      const next = first?.kind === "over" ? second : first;
      if (kind !== "correction" || seq <= this.chosenAt || !before?.ball || !next?.ball) return;
      const [was, is] = [before.ball, next.ball];
      // The last ball of an over leaves its bowler to the log.
      const may = (/** @type {"stroke" | "bowler"} */ what) =>
        [was[what], ...(this.chosenBehind.get(String(key)) ?? [])].includes(is[what]);
      const isSame = may("stroke") && (first?.kind !== "over" || may("bowler"));
      if (!isSame)
        this.#fault(`the ball ${is.dice} has other choices than ${was.dice}, which was taken back`);
    });
  }
}
