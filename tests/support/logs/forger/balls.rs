//! Changes that a forger makes to a ball: to its outcome, and to where and how it was bowled.

use std::borrow::Cow;

use serde_json::json;
use third_umpire::dice::Die;
use third_umpire::log::{Ball, DrawRecord};
use third_umpire::scorebook::{WicketKind, WicketRecord};

use crate::random::Chooser;

/// A named change of a recorded ball.
pub type Tampering<B> = (&'static str, fn(&mut B, &mut Chooser));

/// Changes of a ball's outcome. Choices and dice stay, so that the rules lead back to the original outcome.
pub const OUTCOME: &[Tampering<Ball>] = &[
    ("a run off the bat more", |ball, _| ball.outcome.runs.batter += 1),
    ("a run more in all", |ball, _| {
        ball.outcome.runs.batter += 1;
        ball.outcome.runs.total += 1;
    }),
    ("a bye more", |ball, _| {
        ball.outcome.extras.byes += 1;
        ball.outcome.runs.extras += 1;
        ball.outcome.runs.total += 1;
    }),
    ("runs beyond counting", |ball, _| {
        ball.outcome.runs.batter = u16::MAX;
        ball.outcome.runs.total = u16::MAX;
        ball.outcome.extras.penalty = u16::MAX;
    }),
    ("as many runs as a number holds", |ball, _| {
        ball.outcome.runs.batter = u16::MAX - ball.outcome.runs.extras;
        ball.outcome.runs.total = u16::MAX;
    }),
    ("runs off the bat as leg byes", |ball, _| {
        ball.outcome.extras.leg_byes += ball.outcome.runs.batter;
        ball.outcome.runs.extras += ball.outcome.runs.batter;
        ball.outcome.runs.batter = 0;
    }),
    ("legal or not", |ball, _| ball.outcome.legal ^= true),
    ("the boundary", |ball, _| {
        ball.outcome.boundary = if ball.outcome.boundary == Some(4) { Some(6) } else { Some(4) }
    }),
    ("a boundary there is not", |ball, _| ball.outcome.boundary = Some(5)),
    ("no boundary", |ball, _| ball.outcome.boundary = None),
    ("the batters change ends", |ball, _| {
        std::mem::swap(&mut ball.outcome.striker, &mut ball.outcome.non_striker)
    }),
    ("another striker", |ball, chooser| ball.outcome.striker = anybody(chooser)),
    ("another non-striker", |ball, chooser| ball.outcome.non_striker = anybody(chooser)),
    ("another bowler", |ball, chooser| ball.outcome.bowler = anybody(chooser)),
    ("the wicket taken back", |ball, _| ball.outcome.wicket = None),
    ("a wicket of another kind", change_kind),
    ("somebody else out", |ball, chooser| {
        if let Some(wicket) = &mut ball.outcome.wicket {
            wicket.player_out = anybody(chooser);
        }
    }),
    ("other fielders", |ball, chooser| {
        if let Some(wicket) = &mut ball.outcome.wicket {
            wicket.fielders = (0..chooser.below(3)).map(|_| anybody(chooser)).collect();
        }
    }),
    ("a wicket for another bowler", |ball, chooser| {
        if let Some(wicket) = &mut ball.outcome.wicket {
            wicket.bowler = if chooser.once_in(3) { None } else { Some(anybody(chooser)) };
        }
    }),
    ("no rulings", |ball, _| ball.outcome.rulings.clear()),
    ("a ruling less", |ball, chooser| {
        let at = chooser.below(ball.outcome.rulings.len());
        ball.outcome.rulings.remove(at);
    }),
    ("a ruling twice", |ball, chooser| {
        let again = chooser.pick(&ball.outcome.rulings).clone();
        ball.outcome.rulings.push(again);
    }),
    ("the rulings in another order", |ball, _| ball.outcome.rulings.rotate_left(1)),
    ("another ruling", |ball, chooser| {
        let ids = [
            "howzat.strike.1",
            "howzat.strike.3",
            "howzat.over.quota",
            "cuberoots.dot",
            "cuberoots.runs.1",
            "law.1",
            "",
        ];
        let at = chooser.below(ball.outcome.rulings.len());
        ball.outcome.rulings[at] = (*chooser.pick(&ids)).to_owned();
    }),
    ("a catch dropped", |ball, chooser| {
        ball.outcome.detail.insert("dropped_by".to_owned(), json!(anybody(chooser)));
    }),
    ("another position", |ball, chooser| {
        ball.outcome.detail.insert("position".to_owned(), json!(chooser.below(300)));
    }),
    ("a detail of no game", |ball, _| {
        ball.outcome.detail.insert("light".to_owned(), json!("bad"));
    }),
    ("no details", |ball, _| ball.outcome.detail.clear()),
];

fn change_kind(ball: &mut Ball, chooser: &mut Chooser) {
    let kinds = [
        WicketKind::Bowled,
        WicketKind::Caught,
        WicketKind::CaughtAndBowled,
        WicketKind::Lbw,
        WicketKind::Stumped,
        WicketKind::RunOut,
    ];
    let kind = *chooser.pick(&kinds);
    let outcome = &mut ball.outcome;
    outcome.wicket = Some(WicketRecord {
        kind,
        player_out: outcome.striker.clone(),
        bowler: (kind != WicketKind::RunOut).then(|| outcome.bowler.clone()),
        fielders: outcome.wicket.as_ref().map(|wicket| wicket.fielders.clone()).unwrap_or_default(),
    });
}

/// A player of either side, or a name that nobody has.
fn anybody(chooser: &mut Chooser) -> String {
    format!("{}{}", chooser.pick(&["A", "B"]), chooser.below(13))
}

/// Changes of where and how a ball was bowled.
pub const CIRCUMSTANCES: &[Tampering<Ball>] = &[
    ("another innings", |ball, _| ball.innings ^= 3),
    ("another over", |ball, _| ball.over += 1),
    ("another place in the over", |ball, _| ball.ball += 1),
    ("another delivery", |ball, _| ball.delivery += 1),
    ("a draw of the seed", |ball, _| {
        ball.seed = match ball.seed {
            None => Some(DrawRecord { domain: 4, ordinal: u64::from(ball.delivery) }),
            Some(_) => None,
        }
    }),
    ("a choice of no game", |ball, _| {
        ball.choices.insert("light".to_owned(), json!("bad"));
    }),
    ("another batter comes in", |ball, _| {
        let other = if ball.choices.get("next_batter") == Some(&json!("A11")) { "A10" } else { "A11" };
        ball.choices.insert("next_batter".to_owned(), json!(other));
    }),
    ("nobody is chosen to come in", |ball, _| ball.choices.clear()),
    ("no dice", |ball, _| ball.dice.clear()),
    ("a die less", |ball, _| {
        ball.dice.pop();
    }),
    ("a die more", |ball, _| ball.dice.push(Die { what: Cow::Borrowed("catch"), sides: 6, value: 1 })),
    ("a die for something else", |ball, chooser| {
        if let Some(die) = any_die(ball, chooser) {
            die.what = Cow::Borrowed("luck");
        }
    }),
    ("a die of other sides", |ball, chooser| {
        if let Some(die) = any_die(ball, chooser) {
            die.sides = 8;
        }
    }),
    ("a face there is not", |ball, chooser| {
        let value = *chooser.pick(&[0, 7, u16::MAX]);
        if let Some(die) = any_die(ball, chooser) {
            die.value = value;
        }
    }),
    ("the dice in another order", |ball, _| ball.dice.reverse()),
];

/// A die of a ball, if it has any.
fn any_die<'a>(ball: &'a mut Ball, chooser: &mut Chooser) -> Option<&'a mut Die> {
    let dice = ball.dice.len().max(1);
    ball.dice.get_mut(chooser.below(dice))
}

/// A ball with one of these changes.
pub fn changed<B: Clone>(ball: &B, (_, tamper): &Tampering<B>, chooser: &mut Chooser) -> B {
    let mut changed = ball.clone();
    tamper(&mut changed, chooser);
    changed
}
