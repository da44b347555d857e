/** Goes to another address of the pages. */

/** @type {() => void} */
let route = () => {};
/** Names what opens the view of an address. @param {() => void} routing */
export const routedBy = (routing) => {
  route = routing;
};

/** @param {string} path @param {{instead?: boolean}} [how] `instead`: this address is not worth a way back. */
export const go = (path, { instead = false } = {}) => {
  history[instead ? "replaceState" : "pushState"](null, "", path);
  route();
};
