/**
 * All modules that have come, by their names, and what loads the others.
 * @type {{[module: string]: unknown, load?: (script: string, module: string) => Promise<unknown>}}
 */
export const $ = {};
/** How often each script has failed. @type {Record<string, number>} */
const failed = {};
// A script whose load has failed, or which is another file, is asked for under another address, since a browser
// may keep the failure.
$.load = async (script, module) => {
  try {
    await import(script + (failed[script] ? `?again=${failed[script]}` : ""));
    if (!$[module]) throw new Error(`${script} is another file`);
    return $[module];
  } catch (error) {
    failed[script] = (failed[script] ?? 0) + 1;
    throw error;
  }
};
