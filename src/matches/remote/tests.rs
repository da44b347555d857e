//! Remote play by itself: claims, seeds, secret choices, calls, and what changes its state.

use serde_json::{Value, json};

use super::*;
use crate::editions::Editions;
use crate::log::{
    Choice, ChoiceCalled, ChoiceOpened, EventData, MatchId, Over, SeedCommitted, SeedContributed,
    SideClaimed, at_format,
};
use crate::matches::test_match::{created, seed};
use crate::matches::{Input, Match, MatchSettings};
use crate::rules::Choices;

const BOTH: [Side; 2] = [Side::Home, Side::Away];

fn client_seed(side: Side) -> String {
    if side == Side::Home { "a1".repeat(32) } else { "b2".repeat(32) }
}

/// A match of CubeRoots cricket in remote play, with both sides claimed.
fn claimed() -> Match {
    let settings = MatchSettings { client_seeds: ClientSeeds::Both, remote: true, choice_timeout: 60 };
    let first = created("cuberoots", json!({"overs": 2}), true, settings);
    let the_match = Match::from_log(MatchId::nil(), &first, &Editions::default()).expect("a match");
    BOTH.into_iter().fold(the_match, |the_match, side| after(&the_match, the_match.remote().claim(side)))
}

fn secrets(openings: &[SealOpening]) -> ServerSecrets<'_> {
    ServerSecrets { seed: None, openings, now: DateTime::UNIX_EPOCH }
}

/// The match after a legal decision of remote play.
fn after(the_match: &Match, decided: Result<RemoteDecided, Refusal>) -> Match {
    let seed = seed();
    let secrets = ServerSecrets { seed: Some(&seed), ..secrets(&[]) };
    the_match.conclude(decided.expect("legal"), secrets).expect("legal").after
}

fn hash_of(the_match: &Match, side: Side) -> String {
    let commitment = the_match.play().info().created.commitment.clone().expect("a seeded match");
    seed_hash(MatchId::nil(), side, &commitment, &client_seed(side)).expect("a hash")
}

/// A match in which both sides have added to the seed, and which waits for its first secret choice.
fn choosing() -> Match {
    let mut the_match = claimed();
    for side in BOTH {
        let hash = hash_of(&the_match, side);
        the_match = after(&the_match, the_match.remote().commit_seed(side, &hash));
    }
    for side in BOTH {
        the_match = after(&the_match, the_match.remote().reveal_seed(side, &client_seed(side)));
    }
    for _ in 0..2 {
        let seed = seed();
        let mut dice = the_match.remote().dice(&seed);
        the_match =
            the_match.decide(the_match.default_input(), &mut dice, Some(&seed)).expect("a toss").after;
    }
    the_match
}

fn kind<T>(decided: Result<T, Refusal>) -> Option<RefusalKind> {
    decided.err().map(|refusal| refusal.kind)
}

#[test]
fn a_side_is_claimed_once() {
    let the_match = claimed();
    assert!(BOTH.into_iter().all(|side| the_match.remote().is_claimed(side)));
    assert_eq!(kind(the_match.remote().claim(Side::Home)), Some(RefusalKind::OutOfTurn));
}

#[test]
fn no_seed_is_shown_before_both_are_committed_to_and_only_the_one_committed_to() {
    let the_match = claimed();
    assert!(the_match.remote().waits_for_seeds());
    let (home, away) = (hash_of(&the_match, Side::Home), hash_of(&the_match, Side::Away));
    let one = after(&the_match, the_match.remote().commit_seed(Side::Home, &home));
    let early = one.remote().reveal_seed(Side::Home, &client_seed(Side::Home));
    assert_eq!(kind(early), Some(RefusalKind::OutOfTurn));
    assert_eq!(kind(one.remote().commit_seed(Side::Home, &home)), Some(RefusalKind::OutOfTurn));
    let both = after(&one, one.remote().commit_seed(Side::Away, &away));
    let another = both.remote().reveal_seed(Side::Home, &client_seed(Side::Away));
    assert_eq!(kind(another), Some(RefusalKind::IllegalInput));
    let shown = after(&both, both.remote().reveal_seed(Side::Home, &client_seed(Side::Home)));
    assert!(shown.remote().client_seeds().is_empty(), "they count only together");
    let shown = after(&shown, shown.remote().reveal_seed(Side::Away, &client_seed(Side::Away)));
    assert_eq!(shown.remote().client_seeds(), BOTH.map(client_seed));
    assert!(!shown.remote().waits_for_seeds());
}

#[test]
fn two_choices_are_revealed_when_the_second_is_opened() {
    let the_match = choosing();
    let pending = the_match.remote().secret_choice().expect("an order is chosen in secret");
    let claimed = ClaimedChoice { what: pending.what.to_owned(), innings: None, over: None, ball: None };
    let play = Input::Play(Play::Over(Choices::new()));
    let seed = seed();
    let mut dice = the_match.remote().dice(&seed);
    assert_eq!(kind(the_match.decide(play, &mut dice, Some(&seed))), Some(RefusalKind::AwaitingChoice));
    let secret = ServerSecrets { seed: Some(&seed), ..secrets(&[]) };
    let salt = "5a".repeat(32);
    let chosen =
        the_match.remote().choose(Side::Home, &claimed, &salt, &Choices::new(), secret).expect("legal");
    let RemoteDecided::Events(events, Some(opening)) = &chosen else { panic!("one choice reveals nothing") };
    assert!(matches!(events.as_slice(), [EventData::Choice(_), EventData::ChoiceOpened(_)]));
    assert!(!format!("{events:?}").contains(&salt), "the log has the seal only");
    assert_eq!(format!("{opening:?}"), "SealOpening(of home, hidden)");
    let openings = [opening.clone()];
    let one = the_match.conclude(chosen, secret).expect("legal").after;
    assert!(one.remote().is_open(Side::Home) && !one.remote().is_open(Side::Away));
    // What home has chosen is lost: nobody can reveal it.
    let lost = one.remote().choose(Side::Away, &claimed, &salt, &Choices::new(), secret);
    assert_eq!(kind(lost), Some(RefusalKind::AwaitingChoice));
    let secret = ServerSecrets { openings: &openings, ..secret };
    let second = one.remote().choose(Side::Away, &claimed, &salt, &Choices::new(), secret).expect("legal");
    let RemoteDecided::Reveal { sealed: Some(_), reveals, .. } = &second else { panic!("both are revealed") };
    assert_eq!([reveals[0].side, reveals[1].side], BOTH);
    let decided = one.conclude(second, secret).expect("legal");
    let [EventData::Choice(_), EventData::Over(over), ..] = decided.events.as_slice() else {
        panic!("an over")
    };
    assert_eq!(over.reveals.len(), 2);
    assert!(!decided.after.remote().is_open(Side::Home), "the over begins without seals");
}

#[test]
fn only_the_other_side_is_called_and_only_for_what_the_match_waits_for() {
    let the_match = claimed();
    let hash = hash_of(&the_match, Side::Home);
    let waiting = after(&the_match, the_match.remote().commit_seed(Side::Home, &hash));
    assert_eq!(waiting.remote().awaited_from(Side::Away), Ok(SEED_COMMITMENT));
    assert_eq!(kind(waiting.remote().call(Side::Away, secrets(&[]))), Some(RefusalKind::AwaitingChoice));
    let called = after(&waiting, waiting.remote().call(Side::Home, secrets(&[])));
    let deadline = called.remote().deadline().expect("away has been called");
    assert_eq!((deadline - DateTime::UNIX_EPOCH).num_seconds(), 60);
    assert!(called.remote().has_timed_out(Side::Away, deadline));
    assert!(!called.remote().has_timed_out(Side::Away, deadline - TimeDelta::seconds(1)));
    assert!(!called.remote().has_timed_out(Side::Home, deadline));
    assert_eq!(kind(called.remote().call(Side::Home, secrets(&[]))), Some(RefusalKind::AwaitingChoice));
}

/// An event of each kind that remote play might take notice of.
fn some_events() -> Vec<EventData> {
    let side = Side::Away;
    let (what, innings, over, ball) = ("order".to_owned(), 1, 1, None);
    let sealed = Some("cc".repeat(32));
    let until = at_format::write(&DateTime::UNIX_EPOCH);
    vec![
        EventData::SideClaimed(SideClaimed { side }),
        EventData::SeedCommitted(SeedCommitted { side, hash: "aa".repeat(32) }),
        EventData::SeedContributed(SeedContributed { side, client_seed: client_seed(side) }),
        EventData::Choice(Choice { side, what: what.clone(), innings, over, ball, sealed, choice: None }),
        EventData::ChoiceOpened(ChoiceOpened { side, what: what.clone(), innings, over, ball }),
        EventData::ChoiceCalled(ChoiceCalled { by: Side::Home, on: side, what, until }),
        EventData::Over(Over::of_choices(1, 1, serde_json::Map::<String, Value>::new())),
    ]
}

#[test]
fn a_state_that_an_event_does_not_change_says_so_before() {
    let mut states = vec![RemoteState::default()];
    // Every state that two of these events come to, and then each event on each state.
    for _ in 0..2 {
        let next = states.iter().flat_map(|state| {
            some_events().into_iter().map(|event| {
                let mut state = state.clone();
                state.apply(&event);
                state
            })
        });
        states = next.collect();
    }
    let mut changed = 0;
    for (state, event) in
        states.iter().flat_map(|state| some_events().into_iter().map(move |event| (state, event)))
    {
        let mut after = state.clone();
        after.apply(&event);
        assert!(after == *state || state.is_changed_by(&event), "{} on {state:?}", event.kind());
        changed += usize::from(after != *state);
    }
    assert!(changed > 100, "{changed} changes");
}
