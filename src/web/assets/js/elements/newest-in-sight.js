// A row that scrolls: whatever is added to it comes into sight. It never looks at what stands in it.

/** Keeps the end of its content in sight. */
export class NewestInSight extends HTMLElement {
  #watch = new MutationObserver(() => this.#show());
  #wide = 0;

  connectedCallback() {
    this.#watch.observe(this, { childList: true, subtree: true });
    this.#show();
  }

  disconnectedCallback() {
    this.#watch.disconnect();
  }

  /** Scrolls to the end when the content has another width; where a person has scrolled to stays otherwise. */
  #show() {
    if (this.scrollWidth === this.#wide) return;
    this.#wide = this.scrollWidth;
    const end = this.scrollWidth - this.clientWidth;
    this.scrollLeft = getComputedStyle(this).direction === "rtl" ? -end : end;
  }
}

customElements.define("newest-in-sight", NewestInSight);
