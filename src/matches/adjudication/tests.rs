//! Adjudication by itself: claims, proposals, corrections, disputes and rulings.

use serde_json::json;

use super::*;
use crate::log::{Correction, Dispute, DisputeFinding, DisputeRuled, SideClaimed, TokenRotated};
use crate::matches::test_match::{entered, howzat_in_play, next_ball, play_of_howzat};
use crate::scorebook::Side;

fn proposed(number: u32) -> CorrectionProposed {
    CorrectionProposed {
        number,
        by: Some(Side::Home),
        voids_from_seq: 5,
        voids_from: Some(1),
        restores: None,
        amendment: None,
        reason: "a slip".to_owned(),
    }
}

fn correction(amends: Option<u32>) -> Correction {
    Correction {
        voids_from_seq: 5,
        voids_from: None,
        amends,
        inserts: None,
        removes: None,
        anew: None,
        cascade: None,
        ended: Vec::new(),
        reason: "a slip".to_owned(),
        dice_seen: true,
    }
}

fn dispute(number: u32, delivery: u32) -> EventData {
    EventData::Dispute(Dispute { number, delivery, claim: "wide".to_owned(), by: Side::Away })
}

fn applied(events: &[EventData]) -> AdjudicationState {
    let mut state = AdjudicationState::default();
    events.iter().for_each(|event| state.apply(event));
    state
}

fn finding(state: &AdjudicationState, deliveries: u32, finding: DisputeFinding) -> Result<(), RefusalKind> {
    let bowled = (0..deliveries).fold(howzat_in_play(json!({"overs": 5})), |the_match, _| {
        entered(&the_match, next_ball(), &[2, 3]).1
    });
    let ruled = DisputeRuled { number: 1, ruling: "so it is".to_owned(), finding };
    Adjudication::new(bowled.play(), state).rule(&ruled).map(drop).map_err(|refusal| refusal.kind)
}

#[test]
fn claims_and_tokens_are_kept() {
    let claimed = EventData::SideClaimed(SideClaimed { side: Side::Away });
    let rotated = |role| EventData::TokenRotated(TokenRotated { role });
    let state = applied(&[claimed, rotated(Role::Home)]);
    assert_eq!(
        (state.claimed[Side::Home], state.claimed[Side::Away], state.has_umpire),
        (false, true, false)
    );
    assert!(applied(&[rotated(Role::Umpire)]).has_umpire);
}

#[test]
fn a_proposal_counts_as_its_sides_consent_and_lapses_when_play_goes_on() {
    let proposal = EventData::CorrectionProposed(proposed(1));
    let consent = EventData::CorrectionConsented(CorrectionConsented { number: 1, side: Side::Away });
    let play = play_of_howzat(json!({}), false);
    let state = applied(std::slice::from_ref(&proposal));
    let adjudication = Adjudication::new(&play, &state);
    let (_, consents) = adjudication.proposed().expect("it is proposed");
    assert_eq!((consents.home, consents.away, adjudication.is_agreed()), (true, false, false));
    let twice = adjudication.consent(1, Side::Home).expect_err("home has consented").kind;
    assert_eq!(twice, RefusalKind::Settled);
    assert_eq!(adjudication.consent(1, Side::Away), Ok(consent.clone()));
    assert!(Adjudication::new(&play, &applied(&[proposal.clone(), consent])).is_agreed());
    let over = EventData::Over(crate::log::Over::of_choices(1, 1, serde_json::Map::new()));
    let lapsed = applied(&[proposal, over]);
    let lapsed = Adjudication::new(&play, &lapsed);
    assert_eq!((lapsed.proposed(), lapsed.corrections()), (None, 1));
    assert_eq!(lapsed.consent(1, Side::Away).expect_err("lapsed").kind, RefusalKind::Settled);
    assert_eq!(lapsed.consent(2, Side::Away).expect_err("none").kind, RefusalKind::NoSuchCorrection);
}

#[test]
fn a_correction_keeps_the_number_of_its_proposal() {
    let mut made = applied(&[EventData::CorrectionProposed(proposed(1))]);
    made.correct(Reversal::Correction(&correction(None)), 0, 0, true);
    assert_eq!((made.corrections, made.proposed.is_none()), (1, true));
    made.correct(Reversal::Correction(&correction(None)), 0, 0, true);
    assert_eq!(made.corrections, 2);
}

#[test]
fn a_dispute_is_ruled_on_by_what_has_become_of_its_delivery() {
    let disputed = applied(&[dispute(1, 3)]);
    assert_eq!(finding(&disputed, 4, DisputeFinding::Stands), Ok(()));
    assert_eq!(finding(&disputed, 4, DisputeFinding::Amended), Err(RefusalKind::IllegalInput));
    assert_eq!(finding(&disputed, 4, DisputeFinding::AsStood), Err(RefusalKind::IllegalInput));
    // A correction of an earlier delivery voids this one, and amends it only as a consequence.
    for (amends, deliveries, live, stands, amended) in [
        (None, 1, 1, false, true),
        (Some(3), 2, 4, false, true),
        (Some(2), 1, 4, true, true),
        (None, 3, 4, true, false),
    ] {
        let mut state = disputed.clone();
        state.correct(Reversal::Correction(&correction(amends)), deliveries, 9, true);
        let case = format!("amends {amends:?}, leaves {deliveries}");
        assert_eq!(finding(&state, live, DisputeFinding::Stands).is_ok(), stands, "{case}");
        assert_eq!(finding(&state, live, DisputeFinding::Amended).is_ok(), amended, "{case}");
    }
    let ruled = DisputeRuled { number: 1, ruling: "no".to_owned(), finding: DisputeFinding::Stands };
    let settled = applied(&[dispute(1, 3), EventData::DisputeRuled(ruled)]);
    assert_eq!(finding(&settled, 4, DisputeFinding::Stands), Err(RefusalKind::Settled));
}
