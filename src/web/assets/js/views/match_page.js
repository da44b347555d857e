/** `/m/{id}`: the pad for whoever holds the scorer's token, the board for everybody else. */
import { t } from "../i18n.js";
import { bring, keepInvite, keyOf, takeFragment } from "../keys.js";
import { owe } from "../owed.js";
import { go } from "./go.js";
import { notThere } from "./nowhere.js";

/** @param {string} id @param {AbortSignal} signal */
export const padOrBoard = (id, signal) => {
  const { scorer, invite } = takeFragment();
  const lead = async () => {
    if (scorer) await bring(id, scorer);
    if (invite) await keepInvite(id, invite);
    const key = await keyOf(id);
    if (!signal.aborted)
      go(`/m/${id}/${key?.scorer || key?.untried || key?.invite || key?.replaced ? "score" : "board"}`, {
        instead: true,
      });
  };
  void owe(lead());
  return { title: () => t("match"), render: () => notThere(false) };
};
