//! The scorecard as text, as a newspaper prints it: aligned columns, within 80, also for names in wide
//! scripts.

use unicode_width::UnicodeWidthStr;

use super::columns::{INDENT, list, row, wrap};
use super::scorecard::{BatterLine, BowlerLine, InningsCard, Scorecard};
use crate::log::{DeliveryPlace, delivery_words, printable};
use crate::matches::Phase;
use crate::projection::{AgreedException, BatterStatus, FallenWicket, LoadedMatch};
use crate::scorebook::{BySide, Overs, Side};

const WIDTH: usize = 80;
const NAME: usize = 22;
const HOW_OUT: usize = 29;
const BOWLER: usize = 46;

/// The scorecard as a newspaper prints it: aligned, within 80 columns, each line with a line end.
pub fn newspaper_card(loaded: &LoadedMatch) -> String {
    let card = Scorecard::of(loaded);
    let names = loaded.created().names();
    let mut lines = wrap(&format!("{} v {}", card.home, card.away), WIDTH);
    for innings in &card.innings {
        lines.push(String::new());
        print_innings(innings, &names, &mut lines);
    }
    lines.push(String::new());
    let state = match (&card.result, card.status, card.target) {
        (Some(result), ..) => result.text.clone(),
        (None, "abandoned", _) => {
            format!("Match abandoned: {}", loaded.projection().abandoned_for().unwrap_or_default())
        }
        (None, _, Some(target)) => format!("In play; target {target}"),
        (None, "created", None) if loaded.the_match().play().phase() == Phase::SetUp => {
            "The match is not set up yet".to_owned()
        }
        (None, "created", None) => "The toss is not made yet".to_owned(),
        (None, ..) => "In play".to_owned(),
    };
    lines.extend(wrap(&state, WIDTH));
    if !loaded.projection().reviews().is_empty() {
        lines.push(String::new());
        let reviews = loaded.projection().reviews().iter();
        lines.extend(reviews.flat_map(|review| wrap(&printable(&review.text()), WIDTH)));
    }
    let notes = notes(&card);
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes.iter().flat_map(|line| wrap(&printable(line), WIDTH)));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The notes below the card: agreed outcomes, choices changed after their outcome was seen, values read anew,
/// and open disputes.
fn notes(card: &Scorecard) -> Vec<String> {
    let agreed = card.exceptions.iter().map(|exception| {
        let AgreedException { delivery, place, reason, .. } = exception;
        format!("Delivery {delivery} ({place}) has the outcome that the table agreed on: {reason}")
    });
    let changed = card.changed_choices.iter().map(|changed| {
        format!(
            "Choice changed after its outcome was seen (correction {}): {}",
            changed.correction,
            changed.text()
        )
    });
    let read_anew = card
        .read_anew
        .iter()
        .map(|read| format!("Read anew (correction {}): {}", read.correction, read.text()));
    let open = card.disputes.iter().map(|dispute| {
        let name = if dispute.by == Side::Home { &card.home } else { &card.away };
        let delivery = delivery_words(dispute.delivery, dispute.place.as_ref());
        format!("In dispute: {delivery}, by {name}: {}", dispute.claim)
    });
    agreed.chain(changed).chain(read_anew).chain(open).collect()
}

fn print_innings(innings: &InningsCard, names: &BySide<String>, lines: &mut Vec<String>) {
    lines.extend(batting_row(&names[innings.batting], Vec::new(), ["R", "B", "4s", "6s", "SR"]));
    let (did_not_bat, batted): (Vec<_>, Vec<_>) =
        innings.batters.iter().partition(|batter| batter.status == BatterStatus::DidNotBat);
    lines.extend(batted.iter().flat_map(|batter| print_batter(batter)));
    let extras = innings.extras.total.to_string();
    let by_kind = wrap(&extras_by_kind(innings), HOW_OUT);
    lines.extend(batting_row("Extras", by_kind, [&extras, "", "", "", ""]));
    lines.extend(print_total(innings));
    if !did_not_bat.is_empty() {
        let names: Vec<String> = did_not_bat.iter().map(|batter| batter.player.clone()).collect();
        lines.extend(list("Did not bat", &names, WIDTH));
    }
    if !innings.fall_of_wickets.is_empty() {
        let falls: Vec<String> = innings.fall_of_wickets.iter().map(fall).collect();
        lines.extend(list("Fall of wickets", &falls, WIDTH));
    }
    lines.push(String::new());
    let bowling = format!("{} bowling", names[innings.bowling]);
    lines.extend(bowling_row(&bowling, ["O", "M", "R", "W", "Wd", "Nb", "Econ"]));
    lines.extend(innings.bowlers.iter().flat_map(print_bowler));
}

fn print_total(innings: &InningsCard) -> Vec<String> {
    let total = &innings.total;
    let plural = if total.wickets == 1 { "" } else { "s" };
    let how = format!("({} wicket{plural}, {} overs)", total.wickets, total.overs);
    let rate = format!("RR {}", innings.run_rate);
    let figures = format!("{:>5}{rate:>17}", total.runs);
    row(&[(vec!["Total".to_owned()], NAME), (vec![how], HOW_OUT)], &figures)
}

/// The fall of a wicket. The overs count legal balls, and after a wide or a no-ball they read like the place
/// of another ball: then the place of this one stands beside them.
fn fall(fallen: &FallenWicket) -> String {
    let FallenWicket { wicket, runs, player, over, place, .. } = fallen;
    let ball = if is_place(over, place) { String::new() } else { format!(", ball {}", place.text) };
    format!("{wicket}-{runs} ({player}, {over} ov{ball})")
}

/// Whether so many overs, read as the place of a ball, name the ball at this place: `4.0` is ball 6 of over
/// 4.
fn is_place(overs: &str, place: &DeliveryPlace) -> bool {
    match overs.strip_suffix(".0") {
        Some(whole) => place.ball == Overs::BALLS && place.over.to_string() == whole,
        None => place.text == overs,
    }
}

fn print_batter(batter: &BatterLine) -> Vec<String> {
    let how = match batter.status {
        BatterStatus::Out => batter.how_out.as_deref().unwrap_or("out"),
        BatterStatus::NotOut => "not out",
        BatterStatus::DidNotBat => "did not bat",
    };
    let figures = [batter.runs, batter.balls, batter.fours, batter.sixes].map(|n| n.to_string());
    let [runs, balls, fours, sixes] = &figures;
    let rate = batter.strike_rate.as_deref().unwrap_or("-");
    batting_row(&batter.player, dismissal(how), [runs, balls, fours, sixes, rate])
}

/// A dismissal in lines. One that is too wide for a line is broken before its bowler.
fn dismissal(how_out: &str) -> Vec<String> {
    let of_bowler = |name: &str| wrap(&format!("b {name}"), HOW_OUT - INDENT.len());
    match how_out.rsplit_once(" b ") {
        Some((fielder, bowler)) if how_out.width() > HOW_OUT => {
            let bowler = of_bowler(bowler).into_iter().map(|line| format!("{INDENT}{line}"));
            wrap(fielder, HOW_OUT).into_iter().chain(bowler).collect()
        }
        Some(_) | None => wrap(how_out, HOW_OUT),
    }
}

fn print_bowler(bowler: &BowlerLine) -> Vec<String> {
    let figures =
        [bowler.maidens, bowler.runs, bowler.wickets, bowler.wides, bowler.no_balls].map(|n| n.to_string());
    let [maidens, runs, wickets, wides, no_balls] = &figures;
    let economy = bowler.economy.as_deref().unwrap_or("-");
    bowling_row(&bowler.player, [&bowler.overs, maidens, runs, wickets, wides, no_balls, economy])
}

/// A row of the batting; a name that nothing stands beside has both columns.
fn batting_row(name: &str, how: Vec<String>, [runs, balls, fours, sixes, rate]: [&str; 5]) -> Vec<String> {
    let figures = format!("{runs:>5}{balls:>5}{fours:>5}{sixes:>5}{rate:>8}");
    if how.is_empty() {
        let columns = NAME + 1 + HOW_OUT;
        return row(&[(wrap(name, columns), columns)], &figures);
    }
    row(&[(wrap(name, NAME), NAME), (how, HOW_OUT)], &figures)
}

fn bowling_row(
    name: &str,
    [overs, maidens, runs, wickets, wides, no_balls, economy]: [&str; 7],
) -> Vec<String> {
    let figures = format!("{overs:>5}{maidens:>4}{runs:>5}{wickets:>4}{wides:>4}{no_balls:>4}{economy:>8}");
    row(&[(wrap(name, BOWLER), BOWLER)], &figures)
}

fn extras_by_kind(innings: &InningsCard) -> String {
    let extras = &innings.extras;
    let parts: Vec<String> = [
        ("b", extras.byes),
        ("lb", extras.leg_byes),
        ("w", extras.wides),
        ("nb", extras.no_balls),
        ("pen", extras.penalty),
    ]
    .into_iter()
    .filter(|(_, runs)| *runs > 0)
    .map(|(kind, runs)| format!("{kind} {runs}"))
    .collect();
    if parts.is_empty() { "(none)".to_owned() } else { format!("({})", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overs_name_a_ball_only_where_all_before_it_in_its_over_were_legal() {
        for (overs, place, is_named) in [
            ("0.2", (1, 2), true),
            ("0.2", (1, 4), false),
            ("4.0", (4, 6), true),
            ("4.0", (4, 7), false),
            ("4.0", (5, 1), false),
            ("4.0", (5, 6), false),
        ] {
            let place = DeliveryPlace::at(1, place.0, place.1);
            assert_eq!(is_place(overs, &place), is_named, "{overs} {place:?}");
        }
    }

    #[test]
    fn a_dismissal_that_is_too_wide_is_broken_before_its_bowler() {
        assert_eq!(dismissal("c Voss b Stone"), ["c Voss b Stone"]);
        let lines = ["c Venkataraghavan Srinivas", "  b Chandrasekhar Bhagwat"];
        assert_eq!(dismissal("c Venkataraghavan Srinivas b Chandrasekhar Bhagwat"), lines);
        let bowled = ["b Venkataraghavan Srinivas", "  Bhagwat"];
        assert_eq!(dismissal("b Venkataraghavan Srinivas Bhagwat"), bowled);
    }
}
