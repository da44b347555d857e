/**
 * A service of one match, with the semantics of the real one as far as a pad can tell: heads and `If-Match`,
 * idempotency keys, previews, overs, reviews, corrections, and `Prefer: return=representation`. Its game is small:
 * a ball is one die, two or three, and the faces of a ball's first die are unlike those of all other balls.
 */

export const MATCH = "m1";
export const TOKEN = "tu_scorer";
const BASE = `/v1/matches/${MATCH}`;
const BALLS_OF_AN_OVER = 2;
const FACES = [1, 2, 3, 4, 5, 6];
const BOWLERS = ["Berg", "Sato", "Wren"];
const STROKES = ["drive", "cut", "pull"];

/** @typedef {{delivery: number, dice: number[], key: string, bowler: string, stroke: string, isOwn: boolean}} Ball */

/** @param {number} status @param {string} type @param {object} [more] */
const problem = (status, type, more = {}) => ({
  status,
  type: "application/problem+json",
  text: JSON.stringify({ type: `/problems/${type}`, title: type, status, detail: type, errors: [], ...more }),
});
/** @param {number} status @param {unknown} body */
const told = (status, body) => ({ status, type: "application/json", text: JSON.stringify(body) });

/** An event as the log has it. @param {any} event */
const eventOf = ({ seq, hash, kind, ball, bowler }) => ({
  seq,
  hash,
  kind,
  // Another phone with the same token writes as the scorer, too.
  actor: kind === "dispute" ? "home" : "scorer",
  data: {
    ...(ball && {
      delivery: ball.delivery,
      dice: ball.dice.map((/** @type {number} */ value) => ({ value })),
      choices: { stroke: ball.stroke },
    }),
    ...(kind === "over" && { choices: { bowler } }),
  },
});

/** How many dice a ball has that begins so; null where that is not known yet. @param {number[]} dice */
const length = ([first = 0, second]) => {
  if (first % 10 === 6) return 1;
  if (second === undefined) return null;
  return second === 1 ? 3 : 2;
};

export class Service {
  /** @type {{seq: number, hash: string, kind: string, void: boolean, ball?: Ball, bowler?: string, key?: string}[]} */
  log = [{ seq: 1, hash: "h1", kind: "created", void: false }];
  /** How many events there were ever, so that no two have a hash. */
  serials = 1;
  store = "s1";
  /** The dice of the balls that another phone has bowled. @type {Set<string>} */
  foreign = new Set();
  /** How many requests came with a token. */
  tokens = 0;
  /** The answers by idempotency key. @type {Map<string, {request: string, short: object}>} */
  answers = new Map();
  /** Called with each new event. @type {(event: {seq: number}) => void} */
  appended = () => {};
  /** Called where a request breaks a rule of the wire. @type {(what: string) => void} */
  complains = () => {};

  get head() {
    const { seq, hash } = this.log[this.log.length - 1] ?? { seq: 0, hash: "" };
    return { seq, hash };
  }

  /** The balls that the scorer's device has recorded, corrected ones too. */
  get own() {
    return this.log.flatMap(({ ball }) => (ball?.isOwn ? [ball] : []));
  }

  /** @param {string} method @param {string} path @param {Record<string, string>} headers @param {any} body */
  answersTo(method, path, headers, body) {
    if (headers["Authorization"]) this.tokens += 1;
    if (path === "/v1/about")
      return told(200, { version: "0", create: "open", store: this.store, assets: "a" });
    if (path === "/readyz") return told(200, { status: "ok", version: "0" });
    if (method === "GET" && path === BASE) return told(200, this.view(headers));
    if (method === "GET") return this.reads(path) ?? problem(404, "not-found");
    if (path.endsWith("/preview")) return this.preview(path.slice(0, -"/preview".length), body);
    return this.append(path, headers, body);
  }

  /** The pages of events, and the words of one. @param {string} path */
  reads(path) {
    const { pathname, searchParams } = new URL(path, "http://service");
    const after = Number(searchParams.get("after") ?? 0);
    const events = this.log
      .filter(({ seq }) => seq > after)
      .slice(0, Number(searchParams.get("limit") ?? 100));
    const next_after = events.length > 0 && events.at(-1)?.seq !== this.head.seq ? events.at(-1)?.seq : null;
    if (pathname === `${BASE}/events`)
      return told(200, { events: events.map(eventOf), head: this.head, next_after });
    if (pathname === `${BASE}/commentary`)
      return told(200, {
        lines: events.map(({ seq, kind, ball }) => ({ seq, text: `${ball?.dice ?? kind}` })),
        next_after,
      });
    return null;
  }

  /** Somebody disputes a ball, which is no play. */
  argues() {
    this.add({ kind: "dispute" });
  }

  /** Somebody else bowls the ball that a request asks for. @param {any} body */
  alike(body) {
    if (!this.state.isReviewable && isLegal(body?.dice) && length(body.dice) === body.dice.length)
      this.record(body, "others", false);
  }

  /** The store is put back to what it was some events ago. @param {number} count */
  forgets(count) {
    this.log = this.log.slice(0, Math.max(1, this.log.length - count));
    const left = new Set(this.own.map(({ key }) => key));
    for (const key of this.answers.keys()) if (!left.has(key)) this.answers.delete(key);
  }

  /** Somebody else bowls a ball. */
  others() {
    this.record({ dice: [this.serial * 10 + 6] }, "others", false);
  }

  /** @param {string} path @param {Record<string, string>} headers @param {any} body */
  append(path, headers, body) {
    const key = headers["Idempotency-Key"] ?? "";
    if (!key) this.complains(`${path} goes without an Idempotency-Key`);
    if (!headers["If-Match"]) this.complains(`${path} goes without If-Match`);
    if (headers["Authorization"] !== `Bearer ${TOKEN}`) return problem(401, "unauthorized");
    const isWhole = /return=representation/.test(headers["Prefer"] ?? "");
    const request = path + JSON.stringify(body);
    const before = this.answers.get(key);
    if (before && before.request !== request) return problem(422, "idempotency-key-reused");
    // The match may have gone on since: a repeated request is never answered with it.
    if (before) return told(201, before.short);
    if (headers["If-Match"] !== `"${this.head.hash}"`) return problem(412, "stale-head", { head: this.head });
    const refusal = this.decide(path, body, key);
    if (refusal) return refusal;
    const { score, situation, next, status, result } = this.view({});
    const short = { events: [], score, situation, next: withoutOptions(next), head: this.head };
    this.answers.set(key, { request, short });
    return told(201, isWhole ? { ...short, next, status, result } : short);
  }

  /** Does what is asked, or refuses it. @param {string} path @param {any} body @param {string} key */
  decide(path, body, key) {
    const { isReviewable, isOverDue } = this.state;
    const { dice = [] } = body ?? {};
    if (path === `${BASE}/corrections`) {
      const at = this.log.findIndex(({ ball }) => ball && ball.delivery === body.voids_from);
      if (at < 0 || this.log[at]?.void) return problem(422, "illegal-input");
      // An over goes with its first ball.
      const from = this.log[at - 1]?.kind === "over" ? at - 1 : at;
      for (const event of this.log.slice(from)) event.void ||= event.kind !== "correction";
      return void this.add({ kind: "correction", key });
    }
    if (path === `${BASE}/reviews` && isReviewable)
      return body.accept || FACES.includes(dice[0])
        ? void this.add({ kind: "review" })
        : problem(422, "needs-input");
    if (isReviewable) return problem(409, "review-open");
    if (path === `${BASE}/overs` && isOverDue)
      return BOWLERS.includes(body.bowler ?? BOWLERS[0])
        ? void this.add({ kind: "over", bowler: body.bowler ?? BOWLERS[0] })
        : problem(422, "illegal-input");
    if (path !== `${BASE}/balls`) return problem(409, "out-of-turn");
    if (!isLegal(dice) || length(dice) !== dice.length) return problem(422, "needs-input");
    if (!STROKES.includes(body.choices?.stroke ?? STROKES[0])) return problem(422, "illegal-input");
    return void this.record(body, key, true);
  }

  /** @param {{dice: number[], choices?: {stroke?: string}}} body @param {string} key @param {boolean} isOwn */
  record({ dice, choices }, key, isOwn) {
    if (this.state.isReviewable) this.add({ kind: "review" });
    if (this.state.isOverDue) this.add({ kind: "over", bowler: BOWLERS[0] });
    const { bowler } = this.state;
    const stroke = choices?.stroke ?? String(STROKES[0]);
    if (!isOwn) this.foreign.add(`${dice}`);
    this.add({ kind: "ball", ball: { delivery: this.serial, dice, key, bowler, stroke, isOwn } });
  }

  /** @param {{kind: string, ball?: Ball, bowler?: string, key?: string}} event */
  add(event) {
    const seq = this.head.seq + 1;
    this.serials += 1;
    this.log.push({ seq, hash: `h${seq}-${this.serials}`, void: false, ...event });
    this.appended({ seq });
  }

  /** The number of the next delivery; that of a corrected ball is never given again. */
  get serial() {
    return this.log.filter(({ ball }) => ball).length + 1;
  }

  get state() {
    const live = this.log.filter((event) => !event.void && event.kind !== "dispute");
    const [overs, last] = [live.filter(({ kind }) => kind === "over"), live[live.length - 1]];
    const since = live.slice(live.lastIndexOf(/** @type {any} */ (overs[overs.length - 1])));
    const balls = since.flatMap(({ ball }) => (ball ? [ball] : []));
    return {
      balls: live.flatMap(({ ball, seq }) => (ball ? [{ ...ball, seq }] : [])),
      bowler: overs[overs.length - 1]?.bowler ?? "",
      isOverDue: overs.length === 0 || balls.length >= BALLS_OF_AN_OVER,
      isReviewable: last?.ball?.dice[1] === 5,
    };
  }

  /** @param {Record<string, string>} headers */
  view(headers) {
    const { balls } = this.state;
    const deliveries = balls.map(({ delivery, dice, seq }) => ({ delivery, dice, seq }));
    const isScorer = headers["Authorization"] === `Bearer ${TOKEN}`;
    return {
      id: MATCH,
      status: "in_play",
      dice: "table",
      home: { name: "Home", players: [] },
      away: { name: "Visitors", players: [] },
      score: { innings: [], text: `${balls.length} balls` },
      situation: {
        innings: 1,
        bowler: { player: this.state.bowler },
        last: deliveries[deliveries.length - 1] ?? null,
        over: { deliveries },
      },
      next: { kind: "roll", requests: this.requests },
      head: this.head,
      result: null,
      viewer: isScorer ? { role: "scorer" } : null,
    };
  }

  get requests() {
    const { isOverDue, isReviewable } = this.state;
    if (isReviewable) return [way("Accept", { accept: true }, []), way("Review", {}, [die(0, FACES, 0)])];
    const over = {
      title: "Begin the over",
      operation: "begin_over",
      path: `${BASE}/overs`,
      body: {},
      asks: [usual("bowler", BOWLERS)],
    };
    return [...(isOverDue ? [over] : []), bowl([this.first(), usual("choices.stroke", STROKES)])];
  }

  /** The first die of the next ball: its faces are its own, and say what they ask. */
  first() {
    const faces = FACES.map((face) => this.serial * 10 + face);
    const ask = die(0, faces, null);
    const options = ask.options.map((option) =>
      option.value % 10 === 6 ? { ...option, runs: 6 } : { ...option, asks: [bare(die(1, FACES, null))] },
    );
    return { ...ask, options };
  }

  /** @param {string} path @param {any} body */
  preview(path, body) {
    const copy = new Service();
    copy.log = this.log.map((event) => ({ ...event }));
    if (body?.over) {
      const refusal = copy.decide(`${BASE}/overs`, body.over, "preview");
      if (refusal) return refusal;
    }
    const { dice = [] } = body ?? {};
    if (path === `${BASE}/balls` && !copy.state.isReviewable && isLegal(dice) && length(dice) !== dice.length)
      return told(200, { done: false, so_far: `${dice}`, next: { requests: [bowl([copy.rest(dice)])] } });
    const refusal = copy.decide(path, body, "preview");
    if (refusal) return refusal;
    const { score, situation, next } = copy.view({});
    return told(200, { done: true, so_far: `${dice}`, text: `${dice}`, score, situation, next });
  }

  /** What a ball asks after these dice. @param {number[]} dice */
  rest(dice) {
    if (dice.length === 0) return this.first();
    if (dice.length === 2) return die(2, FACES, 1);
    const options = die(1, FACES, 0).options.map((option) =>
      option.value === 1 ? { value: 1, title: "again", asks: [bare(die(2, FACES, 0))] } : option,
    );
    return { ...die(1, FACES, 0), options };
  }
}

/** Whether these can be the first dice of a ball. @param {unknown} dice */
const isLegal = (dice) =>
  Array.isArray(dice) &&
  dice.length <= (length(dice) ?? 3) &&
  dice.every((face, place) =>
    place === 0 ? face > 10 && face % 10 > 0 && face % 10 < 7 : FACES.includes(face),
  );

/** An ask with a default. @param {string} at @param {string[]} names */
const usual = (at, names) => ({
  at,
  kind: "one",
  title: "Which?",
  required: false,
  default: names[0],
  options: names.map((value) => ({ value, title: value })),
});
/** @param {number} place @param {number[]} faces @param {number | null} runs Null where more is asked after it. */
const die = (place, faces, runs) => ({
  at: `dice[${place}]`,
  kind: "die",
  title: `Die ${place + 1}`,
  required: true,
  minimum: faces[0],
  maximum: faces[5],
  options: faces.map((value) => ({ value, title: `${value}`, ...(runs === null ? {} : { runs }) })),
});
/** @param {any} ask */
const bare = ({ options: _, ...ask }) => ask;
/** @param {any[]} asks */
const bowl = (asks) => ({ title: "Ball", operation: "bowl_ball", path: `${BASE}/balls`, body: {}, asks });
/** @param {string} title @param {object} body @param {any[]} asks */
const way = (title, body, asks) => ({
  title,
  operation: "review_decision",
  path: `${BASE}/reviews`,
  body,
  asks,
});
/** An append's answer has no options. @param {any} next */
const withoutOptions = (next) => ({
  ...next,
  requests: next.requests.map((/** @type {any} */ request) => ({ ...request, asks: request.asks.map(bare) })),
});
