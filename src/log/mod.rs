//! The log: a match is one stream of hash-chained events, stored in a file or a database.
//!
//! The hash of an event is the SHA-256 of its canonical JSON (RFC 8785) without the hash; `prev` is the hash
//! of the event before. A match log file is NDJSON: one event a line, each line in canonical form, byte for
//! byte.

mod actor;
mod chain;
mod codec;
mod event;
mod events;
mod head;
mod invalid_event;
mod live;
mod names;
mod ndjson;
mod place;
mod plain;
mod printable;
mod sheet;
mod subject;
mod value_fault;

pub use actor::Actor;
pub(crate) use chain::hash_of;
pub use chain::{Chain, ChainBreak, given_hash, is_hash};
pub use event::{Entry, Event, MatchId, RawData, RawEvent, at_format};
pub use events::{
    AdjudicationEvent, AgreedOutcome, AgreementNote, Amendment, Ball, CLIENT_SEED, CalledToss, Cascade,
    Choice, ChoiceCalled, ChoiceOpened, ClientSeeds, CoinFace, Correction, CorrectionConsented,
    CorrectionProposed, DiceMode, Dispute, DisputeFinding, DisputeRuled, DrawRecord, EditionRecord,
    EndedInnings, EventData, EventFamily, LifecycleEvent, MatchAbandoned, MatchCompleted, MatchCreated, Over,
    PlayChange, PlayEvent, RecordedPlay, RemoteEvent, ReportedToss, Restoration, Reveal, Reversal, Review,
    ReviewAccepted, ReviewVerdict, Reviewed, Role, Roll, SCHEMA_VERSION, SEED_COMMITMENT, SeedCommitted,
    SeedContributed, SeedSource, SetUp, SideClaimed, StepAnew, TokenRotated, Toss, TossChoice, TossDecided,
};
pub use head::Head;
pub use invalid_event::InvalidEvent;
pub use live::{LiveEvent, LiveEvents, NotLive};
pub use names::{invisible_in, is_same_name, normal_name, seen_name, shown_name};
pub use ndjson::{BrokenLine, LogReader, MOST_VALUES_OF_EDITION, MOST_VALUES_OF_EVENT, edition_line};
pub use place::{DeliveryPlace, delivery_words};
pub(crate) use plain::values_at_most;
pub use plain::{NotPlain, plain_json};
pub use printable::{SafeText, is_unsafe, printable};
pub use sheet::{EntryFault, NamedSquad, PlayerEntry, TeamSheet};
pub use subject::Subject;
pub use value_fault::{Misfit, ValueFault, list_of, one_of, quoted, read, read_members, read_value};
