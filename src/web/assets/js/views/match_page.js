/** `/m/{id}`: the pad for whoever holds the scorer's token, the board for everybody else. */
import { t } from "../i18n.js";
import { keepFragment, keyOf } from "../keys.js";
import { owe } from "../owed.js";
import { go } from "./go.js";
import { notThere } from "./nowhere.js";

/** @param {string} id @param {AbortSignal} signal */
export const padOrBoard = (id, signal) => {
  const lead = async () => {
    await keepFragment(id);
    const key = await keyOf(id);
    if (!signal.aborted)
      go(`/m/${id}/${key?.scorer || key?.untried || key?.invite || key?.replaced ? "score" : "board"}`, {
        instead: true,
      });
  };
  void owe(lead());
  return { title: () => t("match"), render: () => notThere(false) };
};
