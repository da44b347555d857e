/** What the charts of a match draw, from the rows of its deliveries: sums of what the service has told, and no cricket. */

/** @typedef {import("./service.js").Schemas} Schemas */
/** @typedef {Schemas["DeliveryRow"]} Row */
/** @typedef {Schemas["InningsHead"]} Head */
/** The deliveries of a match, all of them. @typedef {{ dice_alone: boolean, innings: Head[], deliveries: Row[] }} Rows */

/** An innings with its rows. @typedef {Head & { rows: Row[] }} Innings */

/** @param {Rows} rows @returns {Innings[]} */
export const inningsOf = ({ innings, deliveries }) =>
  innings.map((head) => ({ ...head, rows: deliveries.filter((row) => row.innings === head.number) }));

/** How an innings grew: after each delivery its legal balls and its total. @param {Innings} innings */
export const growth = ({ rows }) => [
  { balls: 0, total: 0, wicket: null },
  ...rows.map(({ balls, total, wicket }) => ({ balls, total, wicket: wicket ?? null })),
];

/** The total after so many legal balls. @param {Innings} innings @param {number} balls */
const totalAt = ({ rows }, balls) => rows.filter((row) => row.balls <= balls).at(-1)?.total ?? 0;

/** How far the second innings was ahead of the first at the same legal ball. @param {Innings} first @param {Innings} second */
export const leads = (first, second) => {
  const [one, other] = [first, second].map(({ rows }) => rows.at(-1)?.balls ?? 0);
  const both = Math.min(one ?? 0, other ?? 0);
  return Array.from({ length: both }, (_, place) => ({
    ball: place + 1,
    lead: totalAt(second, place + 1) - totalAt(first, place + 1),
  }));
};

/** @typedef {{ over: number, runs: number, boundaries: number, extras: number, wickets: number }} OverSum */

/** The runs of each over by their kind, and its wickets. @param {Innings} innings @returns {OverSum[]} */
export const overSums = ({ rows }) => {
  /** @type {Map<number, OverSum>} */
  const sums = new Map();
  for (const { place, runs, boundary, wicket } of rows) {
    const sum = sums.get(place.over) ?? { over: place.over, runs: 0, boundaries: 0, extras: 0, wickets: 0 };
    sum[boundary ? "boundaries" : "runs"] += runs.batter;
    sum.extras += runs.extras;
    sum.wickets += wicket ? 1 : 0;
    sums.set(place.over, sum);
  }
  return [...sums.values()];
};

/**
 * What each of two batters made of a partnership. @typedef {{ names: string[], made: number[], runs: number, balls: number, unbroken: boolean }} Stand
 * @param {Innings} innings @param {Schemas["Partnership"][]} partnerships @returns {Stand[]}
 */
export const stands = ({ rows }, partnerships) =>
  partnerships.map(({ runs, balls, batters, unbroken, delivery }, place) => {
    const after = partnerships[place - 1]?.delivery ?? 0;
    const own = rows.filter((row) => row.delivery > after && (!delivery || row.delivery <= delivery));
    const of = (/** @type {string} */ name) =>
      own.filter(({ batter }) => batter === name).reduce((sum, row) => sum + row.runs.batter, 0);
    return { names: batters, made: batters.map(of), runs, balls, unbroken };
  });

/** The runs an over that were scored, and those still needed, after each legal ball of a chase. @param {Innings} innings */
export const chase = ({ rows }) =>
  rows
    .filter(({ legal }) => legal)
    .map(({ place, balls, total, required_rate: needed }) => ({
      at: place.text,
      balls,
      scored: (6 * total) / balls,
      needed: needed === null || needed === undefined ? null : Number(needed),
    }));
