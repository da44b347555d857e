//! A drawing reads what the page has: it asks nothing, loads nothing, keeps nothing, and changes nothing.

use serde_json::json;
use third_umpire_test_support::service::{seeded_by_service, table};

use crate::phone::Phone;
use crate::table::{Table, pad_of};

/// Notes what is begun while a page is drawn: requests, scripts, what the store is asked, and frames, for
/// which each change asks. A timer that draws the words of a time again is none of these.
const NOTES: &str = "return (async () => {
  const { $ } = await import(document.querySelector('script[type=module]').src);
  Object.assign(globalThis, { begun: [], drawings: 0, redraws: $.owed.redraw });
  let isDrawing = false;
  const notes = (of, name) => {
    const before = of[name];
    of[name] = function (...given) {
      if (isDrawing) begun.push(`${name} ${given.map(String)}`);
      return before.apply(this, given);
    };
  };
  notes(globalThis, 'fetch');
  notes($, 'load');
  for (const name of ['open', 'send']) notes(XMLHttpRequest.prototype, name);
  notes(IDBFactory.prototype, 'open');
  notes(IDBDatabase.prototype, 'transaction');
  for (const name of ['getItem', 'setItem', 'removeItem']) notes(Storage.prototype, name);
  for (const name of ['pushState', 'replaceState']) notes(History.prototype, name);
  const frame = requestAnimationFrame;
  globalThis.requestAnimationFrame = (draw) => {
    if (isDrawing) begun.push('requestAnimationFrame');
    return frame((time) => {
      const view = $.router.current();
      if (view && !Object.hasOwn(view, 'isNoted')) {
        const { render } = view;
        const drawn = () => {
          drawings += 1;
          isDrawing = true;
          try {
            return render.call(view);
          } finally {
            isDrawing = false;
          }
        };
        Object.assign(view, { isNoted: true, render: drawn });
      }
      draw(time);
    });
  };
})()";

/// Draws the page again, two times, and returns what was begun meanwhile and what has changed in it.
const AGAIN: &str = "return (async () => {
  const changed = [];
  const sees = new MutationObserver((all) => changed.push(...all.map(({ type, target, attributeName }) =>
    `${type} of ${target.nodeName} ${attributeName ?? ''}`)));
  const page = document.getElementById('page');
  sees.observe(page, { subtree: true, childList: true, attributes: true, characterData: true });
  const [title, before] = [document.title, drawings];
  for (let time = 0; time < 2; time += 1) {
    redraws();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  sees.disconnect();
  if (drawings < before + 2) changed.push(`${drawings - before} drawings`);
  if (document.title !== title) changed.push(document.title);
  return changed;
})()";

/// Goes to an address within the page, so that its first drawing is noted, and asserts that no drawing begins
/// anything, and that two more change nothing.
#[track_caller]
fn draws(phone: &Phone, path: &str) {
    let go = format!("history.pushState(null, '', '{path}'); dispatchEvent(new PopStateEvent('popstate'))");
    phone.settles_after(&go);
    is_pure(phone, path);
}

#[track_caller]
fn is_pure(phone: &Phone, what: &str) {
    assert_eq!(phone.run(AGAIN, vec![]), json!([]), "{what}: what another drawing changes");
    assert_eq!(phone.run("return begun.splice(0)", vec![]), json!([]), "{what}: what a drawing begins");
}

#[test]
fn a_drawing_begins_nothing_and_another_one_changes_nothing() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    phone.opens("/settings");
    phone.run(NOTES, vec![]);
    draws(&phone, "/");
    let played = service.begun(&table(2));
    played.bowl(&[2, 4]);
    draws(&phone, &pad_of(&played));
    phone.reads("h1", "4 for 0");
    phone.rolls(2);
    is_pure(&phone, "a pad with a die");
    // The sheets come with the first of them.
    for action in ["sync", "more"] {
        phone.taps(&format!("[data-action='{action}']"));
        is_pure(&phone, action);
        phone.taps("dialog [data-action='close']");
    }
    phone.rolls(4);
    is_pure(&phone, "a pad with a ball that is held");
    draws(&phone, &format!("/m/{}/card", played.id));
    phone.reads("h1", "8 for 0");
    for page in ["board", "details", "ball/1"] {
        draws(&phone, &format!("/m/{}/{page}", played.id));
    }
    draws(&phone, "/new");
    draws(&phone, "/");
    phone.reads(&format!("[data-match='{}']", played.id), "8 for 0");
    phone.taps("[data-action='find']");
    is_pure(&phone, "the fields of Home");
    draws(&phone, &pad_of(&service.begun(&seeded_by_service(2))));
}
