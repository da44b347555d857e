//! The scorecard as text, as a newspaper prints it: aligned columns, within 80, also for names in wide
//! scripts.

use unicode_width::UnicodeWidthStr;

use super::scorecard::{BatterLine, BowlerLine, InningsCard, Scorecard};
use crate::log::{DeliveryPlace, delivery_words, printable};
use crate::matches::Phase;
use crate::projection::{AgreedException, BatterStatus, FallenWicket, LoadedMatch};
use crate::scorebook::{BySide, Overs, Side};

const WIDTH: usize = 80;
const NAME: usize = 22;
const HOW_OUT: usize = 29;

/// The scorecard as a newspaper prints it: aligned, within 80 columns, each line with a line end.
pub fn newspaper_card(loaded: &LoadedMatch) -> String {
    let card = Scorecard::of(loaded);
    let names = loaded.created().names();
    let mut lines = wrap(&format!("{} v {}", card.home, card.away));
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
    lines.extend(wrap(&state));
    if !loaded.projection().reviews().is_empty() {
        lines.push(String::new());
        lines
            .extend(loaded.projection().reviews().iter().flat_map(|review| wrap(&printable(&review.text()))));
    }
    let notes = notes(&card);
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes.iter().flat_map(|line| wrap(&printable(line))));
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
    lines.push(batting_row(
        &fit(&names[innings.batting], NAME + 1 + HOW_OUT),
        "",
        ["R", "B", "4s", "6s", "SR"],
    ));
    let (did_not_bat, batted): (Vec<_>, Vec<_>) =
        innings.batters.iter().partition(|batter| batter.status == BatterStatus::DidNotBat);
    lines.extend(batted.iter().map(|batter| print_batter(batter)));
    let extras = innings.extras.total.to_string();
    lines.push(batting_row("Extras", &extras_by_kind(innings), [&extras, "", "", "", ""]));
    let total = &innings.total;
    let plural = if total.wickets == 1 { "" } else { "s" };
    let how = format!("({} wicket{plural}, {} overs)", total.wickets, total.overs);
    let rate = format!("RR {}", innings.run_rate);
    lines.push(format!(
        "{}{rate:>17}",
        batting_row("Total", &how, [&total.runs.to_string(), "", "", "", ""]).trim_end()
    ));
    if !did_not_bat.is_empty() {
        let names: Vec<String> = did_not_bat.iter().map(|batter| batter.player.clone()).collect();
        lines.extend(list("Did not bat", &names));
    }
    if !innings.fall_of_wickets.is_empty() {
        let falls: Vec<String> = innings.fall_of_wickets.iter().map(fall).collect();
        lines.extend(list("Fall of wickets", &falls));
    }
    lines.push(String::new());
    let bowling = format!("{} bowling", fit(&names[innings.bowling], 37));
    lines.push(bowling_row(&bowling, ["O", "M", "R", "W", "Wd", "Nb", "Econ"]));
    lines.extend(innings.bowlers.iter().map(print_bowler));
}

/// The fall of a wicket. The overs count legal balls, and after a wide or a no-ball they read like the place of
/// another ball: then the place of this one stands beside them.
fn fall(fallen: &FallenWicket) -> String {
    let FallenWicket { wicket, runs, player, over, place, .. } = fallen;
    let ball = if is_place(over, place) { String::new() } else { format!(", ball {}", place.text) };
    format!("{wicket}-{runs} ({player}, {over} ov{ball})")
}

/// Whether so many overs, read as the place of a ball, name the ball at this place: `4.0` is ball 6 of over 4.
fn is_place(overs: &str, place: &DeliveryPlace) -> bool {
    match overs.strip_suffix(".0") {
        Some(whole) => place.ball == Overs::BALLS && place.over.to_string() == whole,
        None => place.text == overs,
    }
}

fn print_batter(batter: &BatterLine) -> String {
    let how = match batter.status {
        BatterStatus::Out => batter.how_out.as_deref().unwrap_or("out"),
        BatterStatus::NotOut => "not out",
        BatterStatus::DidNotBat => "did not bat",
    };
    let figures = [batter.runs, batter.balls, batter.fours, batter.sixes].map(|n| n.to_string());
    let [runs, balls, fours, sixes] = &figures;
    batting_row(
        &batter.player,
        how,
        [runs, balls, fours, sixes, batter.strike_rate.as_deref().unwrap_or("-")],
    )
}

fn print_bowler(bowler: &BowlerLine) -> String {
    let figures =
        [bowler.maidens, bowler.runs, bowler.wickets, bowler.wides, bowler.no_balls].map(|n| n.to_string());
    let [maidens, runs, wickets, wides, no_balls] = &figures;
    let economy = bowler.economy.as_deref().unwrap_or("-");
    bowling_row(&bowler.player, [&bowler.overs, maidens, runs, wickets, wides, no_balls, economy])
}

fn batting_row(name: &str, how: &str, [runs, balls, fours, sixes, rate]: [&str; 5]) -> String {
    let names = if how.is_empty() {
        pad(name, NAME + 1 + HOW_OUT)
    } else {
        format!("{} {}", pad(name, NAME), pad(how, HOW_OUT))
    };
    format!("{names}{runs:>5}{balls:>5}{fours:>5}{sixes:>5}{rate:>8}")
}

fn bowling_row(name: &str, [overs, maidens, runs, wickets, wides, no_balls, economy]: [&str; 7]) -> String {
    format!("{}{overs:>5}{maidens:>4}{runs:>5}{wickets:>4}{wides:>4}{no_balls:>4}{economy:>8}", pad(name, 46))
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

/// Cuts a text to this number of columns, with an ellipsis where something is cut off.
fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        // The width of the whole text counts, since a combining character may widen the one before it.
        if kept.width() >= columns {
            kept.pop();
            break;
        }
    }
    format!("{kept}…")
}

fn pad(text: &str, columns: usize) -> String {
    let fitted = fit(text, columns);
    let blanks = columns.saturating_sub(fitted.width());
    fitted + &" ".repeat(blanks)
}

/// Breaks a text at blanks into lines of at most 80 columns.
fn wrap(text: &str) -> Vec<String> {
    fill(text.split(' ').map(str::to_owned))
}

/// A headed list, broken only between its items.
fn list(heading: &str, items: &[String]) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    let item = |(i, item): (usize, &String)| if i == last { item.clone() } else { format!("{item},") };
    fill([format!("{heading}:")].into_iter().chain(items.iter().enumerate().map(item)))
}

/// Sets pieces in lines of at most 80 columns; the lines after the first are indented.
fn fill(pieces: impl Iterator<Item = String>) -> Vec<String> {
    const INDENT: &str = "  ";
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        let piece = fit(&piece, WIDTH - INDENT.len());
        match lines.last_mut() {
            None => lines.push(piece),
            Some(line) if line.width() + 1 + piece.width() <= WIDTH => {
                line.push(' ');
                line.push_str(&piece);
            }
            Some(_) => lines.push(format!("{INDENT}{piece}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_padded_by_columns_not_bytes() {
        assert_eq!(pad("Zoë", 5), "Zoë  ");
        assert_eq!(pad("大谷翔平", 6), "大谷… ");
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdefg", 6), "abcde…");
    }

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
    fn long_lists_are_wrapped_within_eighty_columns() {
        let text = "word ".repeat(60);
        let lines = wrap(text.trim());
        assert!(lines.len() > 3 && lines.iter().all(|line| line.width() <= WIDTH));
        assert!(lines[1].starts_with("  word"));
    }
}
