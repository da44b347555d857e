// What a plan does on a page, and reads off it: a tap, the time that passes after it, the screen, and all
// that the browser keeps. The reading of the screen is that of a storm.
(() => {
  const PART = 200;
  // The browser shows a page of its own where there is none.
  const isOurs = () => document.getElementById("page") !== null;
  const isSettled = () => document.documentElement.hasAttribute("data-settled");
  // Goes on behind all that was begun.
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  const settles = () =>
    new Promise((resolve) => {
      const watch = new MutationObserver(() => isSettled() && (watch.disconnect(), resolve()));
      watch.observe(document.documentElement, { attributes: true });
    });
  // The clock of the page stands, but for short times.
  const passes = async (ms) => {
    for (let left = ms; left > 0 && !isSettled(); left -= PART)
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, PART)));
  };
  // A request that nobody answers keeps a page from settling: then it is looked at after so many
  // milliseconds.
  const rests = async (patience) => {
    await turn();
    if (isOurs() && !isSettled()) await Promise.race([settles(), passes(patience)]);
  };
  const named = (selector, name) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => !element.hasAttribute("aria-disabled"))
      .map(({ dataset }) => dataset[name]);
  const planNow = async () => ({
    ...screenNow(),
    isOurs: isOurs(),
    address: location.href,
    asks: document.querySelector(".pad-ask")?.innerText.replace(/\s+/g, " ").trim() ?? "",
    alert: document.querySelector("[role=alert]")?.innerText ?? null,
    actions: named("button[data-action]", "action"),
    ways: named(".pad-ask [data-choice]", "choice"),
    link: document.querySelector("[data-link=score]")?.value ?? null,
    stored: await storedNow().catch(() => null),
  });
  globalThis.acts = async (selector, ms, patience) => {
    const target = selector && document.querySelector(selector);
    const isThere = Boolean(target && !target.hasAttribute("aria-disabled"));
    // A zone of the oval is drawn, and has no click of its own.
    if (isThere) target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await rests(patience);
    const shown = await planNow();
    if (ms === 0) return { isThere, shown, now: shown };
    moveClock(ms);
    await rests(patience);
    return { isThere, shown, now: await planNow() };
  };
})();
