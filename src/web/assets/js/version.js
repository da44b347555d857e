/** The version of the files that this page is made of, and whether the service has another one. */
import { read } from "./service.js";

/** The hash of the files: a part of their address. */
const OWN = new URL(import.meta.url).pathname.split("/")[2];

/** @type {string | null} */
let other = null;

/** The version of the service, if this page is of another one and was not loaded for that already: a cache on the way could hold this page. */
export const otherVersion = () => other;

/** Asks which version the service has. */
export const compareVersions = async () => {
  if (document.hidden) return;
  const about = await read("/v1/about", { signal: new AbortController().signal }).catch(() => null);
  if (about && about.assets !== OWN && sessionStorage.getItem("loaded") !== about.assets)
    other = about.assets;
};
