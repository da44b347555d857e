/** Starts the page: loads its words, opens the view of the address, and draws it whenever something changed. */
import { announce } from "./announce.js";
import { all } from "./db.js";
import { render } from "./html.js";
import { loadWords, t } from "./i18n.js";
import { wear } from "./looks.js";
import { must } from "./must.js";
import { drawnBy, hasUnsent, owe, owes, wouldLose } from "./owed.js";
import { current, followLink, route } from "./router.js";
import { whenBack } from "./stream.js";
import { compareVersions, isLeftBehind, isOutdated, loadAnew } from "./version.js";
import { routedBy } from "./views/go.js";
import { broken, leftBehind } from "./views/nowhere.js";
import "./elements/newest-in-sight.js";

const page = must(document.getElementById("page"), "#page");

const draw = () => {
  const view = current();
  if (!view) return;
  try {
    render([view.render(), isLeftBehind() ? leftBehind() : []], page);
    const title = view.title();
    if (document.title !== title) document.title = title;
    announce(view.spoken?.() ?? null, view);
  } catch (error) {
    // What cannot be drawn does not leave a page of before.
    render(broken(), page);
    reportError(error);
  }
};

/** Loads the page again where the service has another version, and nothing would be lost. */
const renew = () => {
  if (
    !isOutdated() ||
    owes() ||
    hasUnsent() ||
    current()?.mayLeave?.() === false ||
    page.querySelector("input:not(#answers), textarea")
  )
    return;
  loadAnew();
};

/** How long it is waited for the script that sends, where it has not come. */
const AGAIN = 5000;

/** Goes on with what this browser keeps, of whichever match. Where nothing is kept, nothing is loaded for it. */
const sendKept = async () => {
  const entries = await all("entries");
  if (entries.length === 0) return;
  const script = await import("./views/play.js").catch(() => null);
  if (script) return script.sendKept(entries);
  void compareVersions();
  setTimeout(() => void owe(sendKept()), AGAIN);
};

const start = async () => {
  // A browser before 2022 reads the modules, and lacks what they call.
  if (!("at" in Array.prototype)) throw new Error("too old");
  void owe(wear());
  await loadWords(new URL("./lang/en.json", import.meta.url));
  drawnBy(draw, renew);
  // What stood there until now was for browsers that do not come here. A hidden page draws nothing for long.
  page.replaceChildren();
  document.documentElement.dataset.started = "";
  addEventListener("popstate", route);
  document.addEventListener("click", followLink);
  addEventListener("beforeunload", (event) => {
    // What the browser has not kept goes with the page.
    if (wouldLose() || current()?.isBehind?.()) event.preventDefault();
  });
  // A page stays open for days: on a phone that sleeps meanwhile, on a board whose service is started again.
  document.addEventListener("visibilitychange", () => void compareVersions());
  whenBack(() => void compareVersions());
  routedBy(route);
  void owe(sendKept());
  route();
  await compareVersions(false);
};

addEventListener("error", () => page.childElementCount || page.append(t("broken")));
void owe(start());
