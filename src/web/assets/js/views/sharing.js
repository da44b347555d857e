/** The sheet by which a page shares its match. Its script is loaded when it is opened. */
import { html, nothing } from "../html.js";
import { t } from "../i18n.js";
import { whole } from "../loading.js";
import { owe, redraw } from "../owed.js";
import { sheet } from "../parts/sheet.js";
import { later } from "./later.js";

/** Sharing, and handing over. */
export const shares = later(async () => {
  const [module] = await Promise.all([
    whole(import("./share.js"), { sheet: "share", words: "share" }),
    import("../creating.js"),
  ]);
  return module;
});

/** @param {string} id @param {AbortSignal} signal */
export const sharing = (id, signal) => {
  let isOpen = false;
  /** @type {import("./share_state.js").Share | null} */
  let share = null;
  // A sheet that is not seen looks for nothing any more.
  const end = () => {
    if (share) share.isClosed = true;
    share = null;
  };
  const close = () => {
    isOpen = false;
    end();
    redraw();
  };
  const isSeen = () => isOpen && !share?.isClosed;
  const load = async () => {
    const module = await shares.ahead().catch(() => null);
    end();
    share = module && isOpen ? module.shareOf(id, signal) : null;
    redraw();
  };
  return {
    isOpen: isSeen,
    open: () => {
      isOpen = true;
      end();
      void owe(load());
      redraw();
    },
    draw: () => {
      if (!isSeen()) return nothing;
      return shares.draw(
        (module) => (share ? module.shareSheet(share, { close }) : nothing),
        (body) => sheet({ title: t("share"), key: "share", body: html`${body}` }, { close }),
      );
    },
  };
};
/** @typedef {ReturnType<typeof sharing>} Sharing */
