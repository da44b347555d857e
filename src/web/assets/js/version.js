/** The version of the files that this page is made of, and whether the service has another one. */
import { redraw } from "./owed.js";
import { about } from "./service.js";

/** The hash of the files: a part of their address. */
export const OWN = new URL(import.meta.url).pathname.split("/")[2];

/** @type {string | null} */
let other = null;
let isLeft = false;

/** The versions for which this tab was loaded anew. Two of them behind one address would have it load for ever. */
const loadedFor = () => (sessionStorage.getItem("loaded") ?? "").split(" ");

/** Whether the service has another version, for which this page was not loaded anew yet. */
export const isOutdated = () => other !== null;

/** Whether it has one to which no load has led: a cache on the way holds this page, or two services take turns. */
export const isLeftBehind = () => isLeft;

/** Loads the page anew, once for a version. */
export const loadAnew = () => {
  sessionStorage.setItem("loaded", [...loadedFor(), other].join(" ").trim());
  other = null;
  location.reload();
};

/** Compares the version with that of the service. @param {boolean} [isAnew] Whether the service is asked again: it may be another one. */
export const compareVersions = async (isAnew = true) => {
  if (document.hidden) return;
  const assets = (await about(isAnew).catch(() => null))?.assets;
  if (!assets) return;
  isLeft = assets !== OWN && loadedFor().includes(assets);
  other = assets === OWN || isLeft ? null : assets;
  redraw();
};
