//! The view of a match as it is now.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::next_step::NextStep;
use crate::log::{ClientSeeds, DiceMode, EditionRecord, Head, MatchCreated, Role, TeamSheet, at_format};
use crate::projection::{CorrectionEntry, DisputeEntry, LoadedMatch};
use crate::rules::ResultView;
use crate::views::{FirstFew, LastDelivery, MatchNow, MatchSituation, Score, counts_nothing, first_of};

/// A match as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchView {
    /// The match's id.
    pub id: Uuid,
    /// The game's id.
    pub game: String,
    /// All options of the game, with their defaults.
    #[schema(value_type = Object)]
    pub rules: Map<String, Value>,
    /// The home side.
    pub home: TeamSheet,
    /// The away side.
    pub away: TeamSheet,
    /// The source of the dice.
    pub dice: DiceMode,
    /// The commitment of a seeded match: SHA-256 of its server seed.
    pub commitment: Option<String>,
    /// The edition of the match; left out where the game has no editions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<EditionRecord>,
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The time of creation: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The score of the innings so far.
    pub score: Score,
    /// The situation of the match in play; null before the toss is decided, and after the end.
    pub situation: Option<MatchSituation>,
    /// The last delivery of a match that is over. While it is in play, the situation has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastDelivery>,
    /// What the match waits for.
    pub next: NextStep,
    /// The last event and its hash.
    pub head: Head,
    /// The result, once there is one.
    pub result: Option<ResultView>,
    /// The reason why the match was abandoned; left out where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abandoned_for: Option<String>,
    /// Whether the match is remote play.
    pub remote: bool,
    /// The client seeds that go into the match seed.
    pub client_seeds: ClientSeeds,
    /// The timeout of a side that is called to act, in seconds.
    pub choice_timeout: u64,
    /// The disputes that have no ruling yet; left out where there are none. These are the first, at most 16
    /// KiB: `GET .../disputes` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub disputes: Vec<DisputeEntry>,
    /// The number of all disputes that have no ruling yet; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub disputes_open: u32,
    /// The proposed correction, which waits for the consent of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<CorrectionEntry>,
    /// The viewer, whom the token of the request names; left out without a token of this match, and for the
    /// admin's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewer: Option<Viewer>,
    /// The hand and the secret choice of a side, shown only to a holder of its token. The scorer's token
    /// shows both sides', except in remote play.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>, example = json!({"home": {"hand": [{"cube": 7, "number": 3, "value": 7, "title": "3"}], "choice": null}}))]
    pub own: Map<String, Value>,
}

/// What else can change in the view of a match with an append: the answer to one has the score, the
/// situation, the next step, the head and what is its author's own in any case.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchStanding {
    /// The status: `created|in_play|completed|abandoned`.
    pub status: &'static str,
    /// The last delivery of a match that is over. While it is in play, the situation has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastDelivery>,
    /// The result, once there is one.
    pub result: Option<ResultView>,
    /// The reason why the match was abandoned; left out where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abandoned_for: Option<String>,
    /// The disputes that have no ruling yet; left out where there are none. These are the first, at most 16
    /// KiB: `GET .../disputes` has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub disputes: Vec<DisputeEntry>,
    /// The number of all disputes that have no ruling yet; left out where there are none.
    #[serde(skip_serializing_if = "counts_nothing")]
    pub disputes_open: u32,
    /// The proposed correction, which waits for the consent of both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<CorrectionEntry>,
}

impl MatchStanding {
    /// How a match stands, which is over, or has not begun, where it has no situation.
    pub fn of(loaded: &LoadedMatch, situation: Option<&MatchSituation>) -> MatchStanding {
        let adjudication = loaded.adjudication();
        let (disputes, disputes_open) = first_of(adjudication.open_disputes(), FirstFew::DISPUTES);
        MatchStanding {
            status: loaded.the_match().play().status(),
            last: situation.is_none().then(|| LastDelivery::of(loaded)).flatten(),
            result: loaded.result(),
            abandoned_for: loaded.projection().abandoned_for().map(str::to_owned),
            disputes,
            disputes_open,
            proposed: adjudication.proposed().cloned(),
        }
    }
}

/// The viewer of a match, as the service knows the token of the request.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Viewer {
    /// The role of the token in this match.
    pub role: Role,
}

impl MatchView {
    /// The match for a viewer without a token.
    pub fn of(loaded: &LoadedMatch) -> MatchView {
        let MatchCreated {
            game,
            rules,
            home,
            away,
            dice,
            commitment,
            edition,
            remote,
            client_seeds,
            choice_timeout,
            ..
        } = loaded.created().clone();
        let MatchNow { score, situation } = MatchNow::of(loaded);
        let MatchStanding { status, last, result, abandoned_for, disputes, disputes_open, proposed } =
            MatchStanding::of(loaded, situation.as_ref());
        MatchView {
            id: loaded.match_id(),
            game,
            rules,
            home,
            away,
            dice,
            commitment,
            edition,
            status,
            created_at: at_format::write(&loaded.created_at()),
            score,
            situation,
            last,
            next: NextStep::whole(loaded.the_match()),
            head: loaded.head().clone(),
            result,
            abandoned_for,
            remote,
            client_seeds,
            choice_timeout,
            disputes,
            disputes_open,
            proposed,
            viewer: None,
            own: Map::new(),
        }
    }
}
