/** Loads what stands beside a script: its sheet of style, and its words. */
import { loadWords } from "./i18n.js";

/** What was asked for, by its name. @type {Map<string, Promise<void>>} */
const asked = new Map();
/** How often it has not come. @type {Map<string, number>} */
const failures = new Map();

/** Asks once. What has not come is asked for under another address, since a browser may keep the failure. @param {string} name @param {(address: URL) => Promise<void>} load */
const once = (name, load) => {
  const before = asked.get(name);
  if (before) return before;
  const failed = failures.get(name) ?? 0;
  const loading = load(new URL(`./${name}${failed > 0 ? `?again=${failed}` : ""}`, import.meta.url));
  asked.set(name, loading);
  loading.catch(() => {
    asked.delete(name);
    failures.set(name, failed + 1);
  });
  return loading;
};

/** Adds a sheet. They stand in the order of their names: `app.css` first. @param {URL} address @returns {Promise<void>} */
const addSheet = ({ href }) =>
  new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    const fail = () => {
      link.remove();
      reject(new Error(`${href} has not come`));
    };
    link.addEventListener("load", () => (link.sheet?.cssRules.length ? resolve() : fail()));
    link.addEventListener("error", fail);
    const sheets = /** @type {HTMLLinkElement[]} */ ([
      ...document.querySelectorAll("head link[rel='stylesheet']"),
    ]);
    document.head.insertBefore(link, sheets.find((other) => other.href > href) ?? null);
  });

/**
 * A script, once all that stands beside it is there.
 * @template T @param {Promise<T>} script @param {{ sheet?: string, words?: string }} beside
 */
export const whole = async (script, { sheet, words }) => {
  const [found] = await Promise.all([
    script,
    sheet && once(`${sheet}.css`, addSheet),
    words && once(`lang/en/${words}.json`, loadWords),
  ]);
  return found;
};
