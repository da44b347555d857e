/** A walk: what a person, the line, the disk and other tabs do, one step after the other. */
import { Browser } from "./browser.js";
import { Ledger } from "./ledger.js";
import { LIES } from "./wire.js";
import { Fault, numbers } from "./world.js";

/** How many steps a walk has. */
const STEPS = 50;
/** How long the calm at the end may take, in seconds of the clock. */
const CALM = 200;

/** @typedef {{do: string, lies?: string[], [more: string]: any}} Step */
/** What a walk is made of. @typedef {{seed: number, othersScore: boolean, steps: Step[]}} Plan */

/** The plan of a seed. @param {number} seed @returns {Plan} */
export const planOf = (seed) => {
  const draws = numbers(seed);
  const [lying, tabs, refuses] = [draws.below(70), draws.below(3) > 0, draws.below(8) === 0];
  const othersScore = draws.below(4) === 0;
  const kinds = [
    ...Array(26).fill("tap"),
    ...Array(9).fill("wait"),
    ..."undo undo digit choose choose cut cut disk disk die die kill reload hide show leave now correct".split(
      " ",
    ),
    ...(tabs ? ["open", "open", "close"] : []),
    ...(draws.below(3) === 0 ? ["argue", "argue"] : []),
    ...(othersScore ? ["others", "others", "alike", "alike", "decide", "decide"] : []),
    // Tabs that keep nothing cannot agree.
    ...(refuses && !tabs ? ["refuse"] : []),
  ];
  const steps = Array.from({ length: STEPS }, () => step(draws, draws.of(kinds), lying));
  return { seed, othersScore, steps };
};

/** @param {ReturnType<typeof numbers>} draws @param {string} kind @param {number} lying @returns {Step} */
const step = (draws, kind, lying) => {
  const count = draws.below(5);
  const lies = Array.from({ length: count }, () => (draws.below(100) < lying ? draws.of(LIES) : "through"));
  const ms = draws.of([0, 20, 100, 400, 400, 400, 1200]);
  const more = {
    tap: { key: draws.below(6), ms },
    digit: { key: draws.below(6), ms },
    choose: { key: draws.below(6), ms },
    wait: { ms: draws.of([100, 1000, 4000, 4000, 16_000, 45_000]) },
    disk: { ms: draws.of([300, 1000, 5000]) },
    refuse: { ms: draws.of([1000, 20_000]) },
    cut: { isHeard: draws.below(2) === 0, lasts: draws.of([400, 3000, 20_000, 90_000]), ms },
    die: { after: 1 + draws.below(25), stops: draws.below(2) === 0, ms },
    kill: { stops: draws.below(2) === 0 },
    decide: { whose: draws.of(["mine", "theirs"]) },
  }[kind];
  return {
    do: kind,
    tab: draws.below(3),
    ...(lies.includes("through") || lies.length > 0 ? { lies } : {}),
    ...more,
  };
};

export class Walk {
  /** @param {Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.browser = new Browser(plan.seed);
    this.ledger = new Ledger(this.browser, plan.othersScore);
    this.browser.opened = (page) => {
      page.drew = (screen) => this.ledger.drew(page, screen);
    };
  }

  /** Goes all the way; throws where something is wrong. @param {{entries?: any[], drafts?: any[]}} [rows] */
  async goes(rows) {
    await this.browser.fills(rows);
    this.browser.opens();
    await this.browser.world.moves(400);
    for (const step of this.plan.steps) {
      await this.#does(step);
      this.ledger.checks(false);
    }
    await this.calms();
    this.ledger.checks(true);
    await this.browser.world.settles();
  }

  /** The tab that a step means. @param {Step} step */
  #tab({ tab = 0 }) {
    const { tabs } = this.browser;
    return tabs[tab % tabs.length] ?? this.browser.opens();
  }

  /** @param {Step} step */
  async #does(step) {
    const { browser } = this;
    const { world, wire } = browser;
    const page = this.#tab(step);
    wire.fates = [...(step.lies ?? [])];
    /** @type {Record<string, () => void>} */
    const deeds = {
      tap: () => this.taps(page, step.key),
      digit: () => this.#types(page, 1 + step.key),
      undo: () => this.undoes(page),
      choose: () => this.#chooses(page, step.key),
      correct: () =>
        page.screen?.undo === "sent" && page.modules["stopping.js"].correct(page.match, "a slip"),
      decide: () => this.#decides(page, step.whose),
      now: () => page.screen?.isLoaded && page.modules["scoring.js"].tryNow(page.match),
      cut: () => (wire.cuts(step.isHeard), world.later(() => this.#mends(), step.lasts)),
      disk: () => (world.diskUntil = world.now + step.ms),
      refuse: () => (browser.refusesUntil = world.now + step.ms),
      die: () => Object.assign(page, { diesAfter: step.after }) && (browser.stops = step.stops),
      kill: () => ((browser.stops = step.stops), page.dies()),
      reload: () => this.#reloads(page),
      open: () => browser.tabs.length < 3 && browser.opens(),
      close: () => browser.tabs.length > 1 && this.#closes(page),
      hide: () => page.turns("hidden"),
      show: () => page.turns("visible"),
      leave: () => (page.leaves(), world.later(() => page.isDead || page.enters(), 1500)),
      others: () => browser.service.others(),
      argue: () => browser.service.argues(),
      alike: () => browser.service.alike(page.screen?.body),
      forget: () => browser.service.forgets(step.events),
      wait: () => {},
    };
    deeds[step.do]?.();
    await world.moves(step.do === "disk" ? 0 : (step.ms ?? 100));
    wire.fates = [];
    if (browser.tabs.length === 0) browser.opens();
    await world.settles();
  }

  /** @param {import("./page.js").Page} page @param {number} key */
  taps(page, key) {
    const { screen } = page;
    if (!screen) return;
    const { question, keys, ways } = screen;
    if (ways.length > 0)
      return page.modules["scoring.js"].pick(page.match, ways[key % ways.length], question);
    const value = keys[key];
    if (value === undefined) return;
    this.ledger.taps(page.screen.draft, value, page);
    page.modules["scoring.js"].answer(page.match, value, question);
  }

  /** Types a digit on a keyboard: it answers what is asked when its turn comes. @param {import("./page.js").Page} page @param {number} digit */
  #types(page, digit) {
    if (!page.screen) return;
    this.ledger.types(page, digit);
    page.modules["scoring.js"].answer(page.match, digit, null);
  }

  /** @param {import("./page.js").Page} page */
  undoes(page) {
    if (!page.screen) return;
    this.ledger.undoes(page, page.sees());
    page.modules["scoring.js"].undo(page.match);
    this.#waits(page);
  }

  /** @param {import("./page.js").Page} page @param {number} key */
  #chooses(page, key) {
    const { cells = [] } = page.screen ?? {};
    const cell = cells[Math.floor(key / 3) % Math.max(1, cells.length)];
    const option = cell?.ask.options?.[key % 3];
    if (!option) return;
    const { draft } = page.sees();
    page.modules["scoring.js"].choose(page.match, cell.operation, cell.ask.at, option.value);
    const written = page.match.queue.turn.then(() => page.match.queue.written);
    this.ledger.chooses(page, draft, cell.ask.at, option.value, written);
  }

  /** @param {import("./page.js").Page} page @param {string} whose */
  #decides(page, whose) {
    const { stop } = page.screen ?? {};
    if (!stop) return;
    this.ledger.decides(page.screen, whose);
    page.modules["stopping.js"].decide(page.match, whose);
    this.#waits(page);
  }

  /** A wish that takes something away waits for its turn. @param {import("./page.js").Page} page */
  #waits(page) {
    page.taking += 1;
    page.match.queue.turn.then(() => {
      page.taking -= 1;
      this.ledger.loosens();
    });
  }

  #mends() {
    this.browser.wire.isCut = false;
    for (const { window } of this.browser.tabs) window?.dispatchEvent(new Event("online"));
  }

  /** @param {import("./page.js").Page} page */
  #reloads(page) {
    page.turns("hidden");
    page.dies();
    this.browser.opens();
  }

  /** @param {import("./page.js").Page} page */
  #closes(page) {
    page.turns("hidden");
    page.dies();
  }

  /** Counts what was done. */
  tells() {
    const { service, wire, pages } = this.browser;
    done.balls += service.own.length;
    done.shown += this.ledger.balls.size;
    done.requests += wire.requests;
    done.pages += pages;
    for (const [fate, count] of Object.entries(wire.count)) done.lies[fate] = (done.lies[fate] ?? 0) + count;
  }

  /** The line is good again: all that is kept goes, and the keys open. */
  async calms() {
    const { browser } = this;
    const { world } = browser;
    browser.refusesUntil = 0;
    this.#mends();
    for (const page of browser.tabs.slice(1)) this.#closes(page);
    const [page = browser.opens()] = browser.tabs;
    page.diesAfter = Number.POSITIVE_INFINITY;
    page.turns("visible");
    const tried = new Set();
    let isLast = false;
    for (let second = 0; second < CALM; second += 1) {
      await world.moves(1000);
      const { screen } = page;
      if (!screen) continue;
      const mayBeVain = this.plan.othersScore || this.ledger.hasForgotten;
      const rests = screen.entries.length === 0 && screen.draft.dice.length === 0 && !screen.draft.request;
      if (screen.stop) {
        // What cannot be done any more is left out.
        this.#decides(page, tried.has(screen.stop.id) ? "theirs" : "mine");
        tried.add(screen.stop.id);
      }
      // What was typed before others scored may come to nothing, and so may what a browser that forgot gives back.
      else if (mayBeVain && screen.undo === "draft" && screen.keys.length === 0) this.undoes(page);
      else if (!rests || !isLast) {
        const opens = screen.keys.length > 0 || screen.ways.length > 0;
        isLast ||= rests && opens && screen.ways.length === 0;
        // A face that ends the first die, or the ball.
        if (screen.entries.length === 0 || screen.draft.dice.length > 0 || screen.draft.request)
          this.taps(page, 2);
      } else if (screen.isFresh && screen.keys.length + screen.ways.length > 0) return;
    }
    throw new Fault(`what is kept never goes, or the keys stay closed: ${JSON.stringify(page.screen)}`);
  }
}

/** What was done in all walks. */
export const done = {
  balls: 0,
  requests: 0,
  pages: 0,
  shown: 0,
  lies: /** @type {Record<string, number>} */ ({}),
};

/** Goes a walk; returns what is wrong. @param {Plan} plan */
export const faultOf = async (plan) => {
  try {
    const walk = new Walk(plan);
    await walk.goes();
    walk.tells();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    return String(/** @type {Error} */ (error).stack);
  }
};

/** The plan with as few steps and lies as it takes to fail. @param {Plan} plan @param {(plan: Plan) => Promise<boolean>} fails */
export const shrunk = async (plan, fails) => {
  let best = plan;
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0)
    for (let at = best.steps.length - size; at >= 0; at -= size) {
      const steps = best.steps.toSpliced(at, size);
      if (await fails({ ...best, steps })) best = { ...best, steps };
    }
  for (const [at, step] of best.steps.entries()) {
    const { lies: _, ...honest } = step;
    const steps = best.steps.with(at, honest);
    if (step.lies && (await fails({ ...best, steps }))) best = { ...best, steps };
  }
  return best;
};
