/** Goes to another address of the pages. */

/** @param {string} path @param {{instead?: boolean}} [how] `instead`: this address is not worth a way back. */
export const go = (path, { instead = false } = {}) => {
  history[instead ? "replaceState" : "pushState"](null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
};
