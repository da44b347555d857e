/** The version of the files that this page is made of, and whether the service has another one. */
import { about } from "./service.js";

/** The hash of the files: a part of their address. */
const OWN = new URL(import.meta.url).pathname.split("/")[2];

/** @type {string | null} */
let other = null;

/** The version of the service, if this page is of another one and was not loaded for that already: a cache on the way could hold this page. */
export const otherVersion = () => other;

/** Compares the version with that of the service. @param {boolean} [isAnew] Whether the service is asked again: it may be another one. */
export const compareVersions = async (isAnew = true) => {
  if (document.hidden) return;
  const assets = (await about(isAnew).catch(() => null))?.assets;
  if (assets && assets !== OWN && sessionStorage.getItem("loaded") !== assets) other = assets;
};
