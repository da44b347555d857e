//! The pages in a browser: Debian's Chromium, driven by its chromedriver. Without them the tests skip, unless
//! `REQUIRE_BROWSER=1` makes that a failure.

mod access;
mod browser;
mod clock;
mod docs;
mod faults;
mod figures;
mod games;
mod making;
mod pad;
mod phone;
mod pictures;
mod proxy;
mod shell;
mod table;
mod units;
