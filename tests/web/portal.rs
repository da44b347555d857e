//! A network that wants a sign-in: it answers in the place of the service, with any status and its own page.

use third_umpire_test_support::service::table;

use crate::phone::Phone;
use crate::proxy::Wire;
use crate::table::{Table, balls_of, pad_of};

const STATUSES: [&str; 4] =
    ["200 OK", "401 Unauthorized", "404 Not Found", "511 Network Authentication Required"];

/// Moves the clock on until the pad says so.
fn comes_to(phone: &Phone, sync: &str) {
    let says = format!("moveClock(1000); return document.querySelector('.sync')?.dataset.sync === '{sync}'");
    phone.waits(sync, &says);
    phone.settles();
}

#[test]
fn an_answer_that_is_not_the_services_counts_as_none() {
    for status in STATUSES {
        let service = Table::laid();
        let (wire, address) = service.wired();
        let Some(mut phone) = Phone::at(&address) else { return };
        phone.expected =
            vec!["net::ERR_", "Failed to load resource", "Failed to fetch", "Failed to load module script"];
        let played = service.begun(&table(2));
        phone.opens(&pad_of(&played));
        // The preview of a die.
        wire.turns(Wire::Portal(status));
        phone.rolls(2);
        comes_to(&phone, "lost");
        phone.reads(".pad-ask", "comes back with the connection");
        wire.turns(Wire::Through);
        let is_known = "moveClock(1000); return document.querySelector('#question').innerText === 'Strike die' \
             && document.querySelector('.means') !== null";
        phone.waits("the die is known", is_known);
        phone.settles();
        // The preview of a whole ball, and the ball.
        wire.turns(Wire::Portal(status));
        phone.rolls(4);
        phone.waits_ms(60_000);
        comes_to(&phone, "lost");
        phone.reads(".sync", "1 kept here");
        assert_eq!(balls_of(&played), 0);
        wire.turns(Wire::Through);
        comes_to(&phone, "saved");
        assert_eq!(balls_of(&played), 1, "{status}");
        phone.reads("h1", "4 for 0");
    }
}
