/** Asks what a body would come to. Today the service previews it; an engine in the page can take its place. */
import * as api from "./service.js";

/** @typedef {import("./service.js").Schemas["PreviewBody"]} Preview */

/** The operations that can be previewed. */
const PREVIEWED = new Set(["begin_over", "bowl_ball", "review_decision"]);

/** @param {import("./draft.js").NextRequest} request */
export const isPreviewed = ({ operation, laid }) => !laid && PREVIEWED.has(operation);

/** @param {string} path @param {unknown} body @param {AbortSignal} signal @returns {Promise<Preview>} */
export const preview = (path, body, signal) => api.preview(path, { body, signal });
