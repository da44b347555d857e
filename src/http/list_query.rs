//! The queries of lists that are answered in pages.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::commands::Problem;
use crate::projection::AsOf;
use crate::views::ListWindow;

const LONGEST_PAGE: u32 = 1_000;

/// The query of a page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Only what comes after this, which is the `next_after` of the page before; 0 if left out.
    after: Option<u64>,
    /// The most entries on the page: 1 to 1,000, 100 if left out. A page has fewer where they take more than
    /// 64 KiB, but at least one.
    limit: Option<u32>,
}

impl PageQuery {
    /// The part of the list that is asked for.
    pub fn window(&self) -> Result<ListWindow, Problem> {
        window(self.after, self.limit, ListWindow::FIRST)
    }
}

/// The query of a page of a view, as of which event, and with which corrections.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageAtQuery {
    /// The event as of which the view is shown; the last event if left out.
    at: Option<u64>,
    /// The event after which corrections are left out, not before `at`; all corrections count if left out.
    as_known_at: Option<u64>,
    /// Only what comes after this, which is the `next_after` of the page before; 0 if left out.
    after: Option<u64>,
    /// The most entries on the page: 1 to 1,000. If left out, a page of reviews has 100 and at most 64 KiB,
    /// and one of the commentary, of the deliveries or of the luck as many as 1 MiB holds.
    limit: Option<u32>,
}

impl PageAtQuery {
    /// The event as of which the view is asked for; none for the view as it is now.
    pub fn as_of(&self) -> Option<AsOf> {
        as_of(self.at, self.as_known_at)
    }

    /// Whether the query names a page.
    pub fn names_a_page(&self) -> bool {
        self.after.is_some() || self.limit.is_some()
    }

    /// The part of the view that is asked for; `first` is the page of a query that names none.
    pub fn window(&self, first: ListWindow) -> Result<ListWindow, Problem> {
        window(self.after, self.limit, first)
    }
}

/// The query of a view: as of which event, and with which corrections.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AtQuery {
    /// The event as of which the view is shown; the last event if left out.
    at: Option<u64>,
    /// The event after which corrections are left out, not before `at`; all corrections count if left out.
    as_known_at: Option<u64>,
}

impl AtQuery {
    /// The event as of which the view is asked for; none for the view as it is now.
    pub fn as_of(&self) -> Option<AsOf> {
        as_of(self.at, self.as_known_at)
    }
}

fn as_of(seq: Option<u64>, known_at: Option<u64>) -> Option<AsOf> {
    (seq.is_some() || known_at.is_some()).then_some(AsOf { seq, known_at })
}

fn window(after: Option<u64>, limit: Option<u32>, first: ListWindow) -> Result<ListWindow, Problem> {
    if limit.is_some_and(|limit| !(1..=LONGEST_PAGE).contains(&limit)) {
        return Err(Problem::query("limit", format!("limit is 1 to {LONGEST_PAGE}")));
    }
    let most = limit.map_or(first.most, |limit| limit as usize);
    Ok(ListWindow { after: after.unwrap_or(first.after), most, ..first })
}
