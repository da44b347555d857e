use super::{ExtrasRecord, Outcome};

/// The sign of a ball in a cell of the scorebook: the extras, the runs off the bat, and `W` for a wicket,
/// joined by `+`. A dot ball is `•`, and a dead ball is `db`.
pub fn cell(outcome: &Outcome) -> String {
    let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = outcome.extras;
    let mut sign = String::new();
    let mut part = |text: &str, runs: u16| {
        if !sign.is_empty() {
            sign.push('+');
        }
        sign.push_str(text);
        if runs > 0 {
            sign.push_str(&runs.to_string());
        }
    };
    // The first run of a wide or a no-ball is in its sign.
    for (extra, runs) in [("nb", no_balls), ("wd", wides)] {
        if runs > 0 {
            part(extra, 0);
        }
        if runs > 1 {
            part("", runs - 1);
        }
    }
    for (extra, runs) in [("b", byes), ("lb", leg_byes), ("p", penalty), ("", outcome.runs.batter)] {
        if runs > 0 {
            part(extra, runs);
        }
    }
    if outcome.wicket.is_some() {
        part("W", 0);
    }
    match (sign.is_empty(), outcome.legal) {
        (false, _) => sign,
        (true, true) => "•".to_owned(),
        (true, false) => "db".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scorebook::{RunsRecord, WicketKind, WicketRecord};

    fn ball(batter: u16, extras: ExtrasRecord, legal: bool, out: bool) -> Outcome {
        let ExtrasRecord { wides, no_balls, byes, leg_byes, penalty } = extras;
        let sum = wides + no_balls + byes + leg_byes + penalty;
        let wicket = WicketRecord {
            kind: WicketKind::RunOut,
            player_out: "Marsh".to_owned(),
            bowler: None,
            fielders: Vec::new(),
        };
        Outcome {
            striker: "Marsh".to_owned(),
            non_striker: "Okoro".to_owned(),
            bowler: "Stone".to_owned(),
            legal,
            runs: RunsRecord { batter, extras: sum, total: batter + sum },
            extras,
            boundary: None,
            wicket: out.then_some(wicket),
            rulings: Vec::new(),
            detail: serde_json::Map::new(),
        }
    }

    #[test]
    fn a_cell_reads_as_a_scorer_writes_it() {
        let none = ExtrasRecord::default;
        let wides = |wides| ExtrasRecord { wides, ..none() };
        let no_ball = ExtrasRecord { no_balls: 1, ..none() };
        let byes = |byes| ExtrasRecord { byes, ..none() };
        let leg_byes = |leg_byes| ExtrasRecord { leg_byes, ..none() };
        for (batter, extras, legal, out, sign) in [
            (0, none(), true, false, "•"),
            (4, none(), true, false, "4"),
            (0, wides(1), false, false, "wd"),
            (0, wides(5), false, false, "wd+4"),
            (0, no_ball, false, false, "nb"),
            (2, no_ball, false, false, "nb+2"),
            (0, ExtrasRecord { byes: 1, ..no_ball }, false, false, "nb+b1"),
            (0, byes(4), true, false, "b4"),
            (0, leg_byes(2), true, false, "lb2"),
            (0, ExtrasRecord { penalty: 5, ..none() }, true, false, "p5"),
            (0, none(), true, true, "W"),
            (1, none(), true, true, "1+W"),
            (0, wides(1), false, true, "wd+W"),
            (0, none(), false, false, "db"),
        ] {
            assert_eq!(cell(&ball(batter, extras, legal, out)), sign);
        }
    }
}
