// Shows the dialog inside of it as long as it is in the page. Back, Escape and the scrim only wish it away: the event
// `close-sheet` tells, and whoever drew the sheet draws without it. Focus goes back to where it came from.

/** A modal sheet with a life of its own. */
export class SheetBox extends HTMLElement {
  /** @type {Element | null} */
  #from = null;
  /** @type {AbortController | null} */
  #open = null;

  connectedCallback() {
    this.#from = document.activeElement;
    this.#open = new AbortController();
    const { signal } = this.#open;
    // The parts of a template are filled before it comes into the page, but the dialog is shown once all of it is there.
    queueMicrotask(() => {
      const dialog = this.querySelector("dialog");
      if (!this.isConnected || !dialog || dialog.open) return;
      dialog.showModal();
      const chosen =
        dialog.querySelector("[data-first], [aria-pressed='true'], input:checked") ??
        dialog.querySelector(".sheet-body button, .sheet-body input");
      if (chosen instanceof HTMLElement) chosen.focus({ preventScroll: false });
      dialog.addEventListener(
        "cancel",
        (event) => {
          event.preventDefault();
          this.#wish();
        },
        { signal },
      );
      // A second Escape closes a dialog whatever its listeners say; then there is nothing left to keep open.
      dialog.addEventListener("close", () => this.#wish(), { signal });
      dialog.addEventListener(
        "click",
        (event) => {
          if (event.target === dialog) this.#wish();
        },
        { signal },
      );
    });
  }

  disconnectedCallback() {
    this.#open?.abort();
    const from = this.#from;
    if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
    else document.querySelector(/** @type {"h2"} */ ("#question"))?.focus({ preventScroll: true });
  }

  #wish() {
    this.dispatchEvent(new CustomEvent("close-sheet"));
  }
}

customElements.define("sheet-box", SheetBox);
