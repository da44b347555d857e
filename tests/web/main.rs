//! The pages in a browser: Debian's Chromium, driven by its chromedriver. Without them the tests skip, unless
//! `REQUIRE_BROWSER=1` makes that a failure. One plan runs in WebKit and in Firefox as well: see `engines`.

mod access;
mod browser;
mod clock;
mod docs;
mod dying;
mod engines;
mod faults;
mod figures;
mod forgetful;
mod games;
mod hand;
mod handing;
mod home;
mod liar;
mod making;
mod other_pages;
mod over;
mod pad;
mod phone;
mod pictures;
mod plans;
mod portal;
mod proxy;
mod reads;
mod screens;
mod scripts;
mod sharing;
mod shell;
mod sides;
mod storm;
mod table;
mod toss;
mod units;
mod unreadable;
mod words;
