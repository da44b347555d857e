//! Tests of a ball without a match: a situation is all that it needs.

use super::super::edition::model::{Attitude, Duelist, Format, PlayerRole, PrintedEdition, Style, Zone};
use super::super::edition::{BUILT_IN, read};
use super::super::field::{Field, Limits};
use super::super::progress::{Batting, OverSoFar};
use super::super::squad::{Eleven, Member, Squad};
use super::{BallSituation, Chosen, EnteredDecisions, Stop, begin, play};
use crate::dice::{Die, Draw, RecordedDice};
use crate::scorebook::{Boundary, Innings, Player, Side};

const KEEPER: Player = Player(11);
const BOWLER: Player = Player(0);
const STRIKER: Player = Player(4);

fn squad() -> Squad {
    let roles = [
        (PlayerRole::Pace, 2),
        (PlayerRole::Spin, 2),
        (PlayerRole::Batter, 3),
        (PlayerRole::Medium, 4),
        (PlayerRole::Keeper, 1),
    ];
    let mut members =
        roles.into_iter().flat_map(|(role, many)| std::iter::repeat_n(Member { role, confidence: 0 }, many));
    std::array::from_fn(|_| members.next().expect("twelve players"))
}

/// Runs a test in the third ball of the second over: a pace bowler to a batter, with the edition's field.
fn with_situation(test: impl FnOnce(BallSituation<'_>)) {
    let edition: PrintedEdition = read(&serde_json::from_str(BUILT_IN).expect("JSON")).expect("an edition");
    let (squad, names) = (squad(), Vec::new());
    let side = |side| Eleven { side, names: &names, squad: &squad, dropped: Some(Player(1)) };
    let mut innings = Innings::default();
    innings.open(STRIKER, Player(5));
    innings.begin_over(BOWLER);
    test(BallSituation {
        edition: &edition,
        format: Format::T20,
        is_seeded: true,
        delivery: 9,
        over_draw: Draw::over(1, 2),
        style: Style::Pace,
        pitch: None,
        is_express: false,
        limits: Limits::of_over(Format::T20, 2, false),
        field: Some(Field(edition.fields.of(Format::T20).restricted)),
        patience: false,
        needed: None,
        innings: &innings,
        over: &OverSoFar::default(),
        batting: &Batting::of(&squad),
        batters: side(Side::Home),
        fielders: side(Side::Away),
    });
}

#[test]
fn a_ball_can_be_played_from_a_situation_without_a_match() {
    with_situation(|situation| {
        let chosen = Chosen { attitude: Attitude::Aggressive, ..Chosen::by_default(&situation) };
        let sides = situation.bowls()[0].die.of(situation.condition());
        let dice = [
            Die { what: "bowler".into(), sides: u16::from(*sides), value: 1 },
            Die { what: "batter".into(), sides: 8, value: 8 },
        ];
        let mut delivery = begin(&situation, &chosen).expect("two at the wicket");
        assert_eq!((delivery.striker, delivery.bowler), (STRIKER, BOWLER));
        let mut dice = RecordedDice::new(&dice);
        let played = play(&situation, &chosen, &mut delivery, &mut dice, &mut EnteredDecisions::new(&chosen));
        assert!(played.is_ok(), "{played:?}");
        assert_eq!((delivery.runs, delivery.boundary), (6, Some(Boundary::Six)));
        assert_eq!(delivery.detail.confidence, 1);
    });
}

#[test]
fn a_ball_without_a_bowl_is_refused_before_any_die() {
    with_situation(|situation| {
        let chosen = Chosen { bowl: None, ..Chosen::by_default(&situation) };
        let mut delivery = begin(&situation, &chosen).expect("two at the wicket");
        let mut dice = RecordedDice::new(&[]);
        let played = play(&situation, &chosen, &mut delivery, &mut dice, &mut EnteredDecisions::new(&chosen));
        assert!(matches!(played, Err(Stop::Refused(_))), "{played:?}");
    });
}

#[test]
fn tokens_stand_for_the_eleven_but_bowler_and_keeper_in_team_order() {
    with_situation(|situation| {
        let stand_for: Vec<Player> = (0..9).map(|token| situation.token(token)).collect();
        assert_eq!(stand_for, (2..11).map(Player).collect::<Vec<_>>());
        assert_eq!(situation.fielders.keeper(), KEEPER);
    });
}

#[test]
fn the_default_is_the_first_bowl_and_the_zone_that_most_bowls_feed() {
    with_situation(|situation| {
        let usual = Chosen::by_default(&situation);
        let fed = |zone: Zone| situation.bowls().iter().filter(|bowl| bowl.feeds.has(zone)).count();
        let most = Zone::strokes().map(fed).max();
        assert_eq!((usual.bowl, usual.stroke.map(fed)), (Some(0), most));
        assert_eq!((usual.next_batter, usual.attitude), (None, Attitude::Defensive));
    });
}

#[test]
fn a_specialist_batter_may_use_any_skill_once_and_others_one_of_them() {
    with_situation(|situation| {
        let free = |striker, named| situation.usable(Duelist::Batter, striker, [0, named]);
        let (first, _) = free(STRIKER, 0).next().expect("the edition has skills to name");
        let all = free(STRIKER, 0).count();
        assert_eq!(free(STRIKER, 1 << first).count(), all - 1);
        assert!(free(STRIKER, 1 << first).all(|(skill, _)| skill != first));
        assert_eq!((free(Player(7), 0).count(), free(Player(7), 1 << first).count()), (all, 0));
    });
}
