/** The scripts that more than one page asks for. */
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { compareVersions } from "../version.js";
import { later } from "./later.js";

/** The page of the card. A pad has parts of it beside it where there is room. */
export const card = () => whole(import("./card.js"), { sheet: "card", words: "card" });

/** A match that plays itself. An error says in words that it has not come. */
export const trial = () =>
  whole(import("../trial.js"), { words: "trial" }).catch(() => {
    void compareVersions();
    throw new Error(t("script.failed"));
  });

const brought = later(() => whole(import("./brought.js"), { words: "brought" }));

/** What the last correction has taken away or changed, and can be brought back; asked for once it is to be drawn. @param {import("../following.js").Followed} match */
export const offerOf = (match) =>
  /** @type {import("./brought.js").Offer | null} */ (
    brought.draw(
      (script) => script.offerOf(match),
      () => null,
    )
  );
