/** Starts the page: loads its words, opens the view of the address, and draws it whenever something changed. */
import { read } from "./service.js";
import { announce } from "./announce.js";
import { render } from "./html.js";
import { loadWords, t } from "./i18n.js";
import { must } from "./must.js";
import { drawnBy, owe } from "./owed.js";
import { current, followLink, route } from "./router.js";
import "./elements/newest-in-sight.js";
import "./elements/sheet-box.js";

const page = must(document.getElementById("page"), "#page");
/** The hash of the files that this page is made of: a part of their address. */
const OWN = new URL(import.meta.url).pathname.split("/")[2];

const draw = () => {
  const view = current();
  if (!view) return;
  render(view.render(), page);
  const title = view.title();
  if (document.title !== title) document.title = title;
  announce(view.spoken?.() ?? null);
};

/** A page that is older than the service is loaded again, when nothing is unsent. */
const compareVersions = async () => {
  const about = await read("/v1/about", { signal: new AbortController().signal }).catch(() => null);
  const isOlder = about !== null && about.assets !== OWN && (current()?.mayLeave?.() ?? true);
  // Once for each version: a cache on the way could hold the old page.
  if (!isOlder || sessionStorage.getItem("loaded") === about.assets) return;
  sessionStorage.setItem("loaded", about.assets);
  location.reload();
};

const start = async () => {
  await loadWords("en", new AbortController().signal);
  drawnBy(draw);
  // What stood there until now was for browsers that do not come here.
  page.replaceChildren();
  addEventListener("popstate", route);
  document.addEventListener("click", followLink);
  addEventListener("beforeunload", (event) => current()?.mayLeave?.() === false && event.preventDefault());
  route();
  await compareVersions();
};

addEventListener("error", () => page.childElementCount || page.append(t("broken")));
void owe(start());
