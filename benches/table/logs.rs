use chrono::DateTime;
use third_umpire::dice::{SeededDice, ServerSeed};
use third_umpire::editions::Editions;
use third_umpire::games;
use third_umpire::log::{
    Actor, CoinFace, Event, EventData, Head, LogReader, MatchId, SeedSource, TeamSheet, TossChoice,
};
use third_umpire::matches::{Input, Match, MatchSettings, new_match};
use third_umpire::rules::{Choices, Play};
use third_umpire::scorebook::Side;

/// The milliseconds between two balls.
const MILLISECONDS_A_BALL: i64 = 4_321;

/// Whole seeded matches of twenty overs a side, no two alike, as match log files.
pub fn logs(matches: usize) -> Vec<String> {
    (0..matches).map(|number| seal(number, &play(number))).collect()
}

/// The events of a match log file.
pub fn events(log: &str) -> Vec<EventData> {
    let read = |line: <LogReader<&[u8]> as Iterator>::Item| {
        line.expect("a match log").0.read().expect("an event").data
    };
    LogReader::new(log.as_bytes()).map(read).collect()
}

fn sheet(name: &str, players: [&str; 11]) -> TeamSheet {
    TeamSheet::of_names(name, players.map(str::to_owned).to_vec())
}

fn play(number: usize) -> Vec<EventData> {
    let seed = ServerSeed::from_hex(&format!("{number:064x}")).expect("a seed");
    let home = ["Marsh", "Okoro", "Lindt", "Patel", "Fox", "Brody", "Hale", "Sato", "Kral", "Penn", "Rowe"];
    let away = ["Voss", "Adeyemi", "Quinn", "Berg", "Rossi", "Daly", "Nair", "Vega", "Ward", "Iyer", "Stone"];
    let sides = (sheet("Harbour Road", home), sheet("Mill Lane", away));
    let game = games::BUILT_IN.find("howzat").expect("the game");
    let given = Some((&seed, SeedSource::Creator));
    let created = new_match(None, game, &Choices::new(), sides.0, sides.1, given, MatchSettings::default())
        .expect("a match");
    let mut events = vec![EventData::MatchCreated(created)];
    let mut the_match =
        Match::from_log(MatchId::nil(), &events[0], &Editions::default()).expect("a first event");
    let mut dice = SeededDice::new(&seed.match_seed(&[]));
    let toss = Input::Toss { caller: Side::Away, call: CoinFace::Heads };
    let opening = [toss, Input::TossDecision { to: TossChoice::Bat }];
    let balls = std::iter::repeat_with(|| Input::Play(Play::Ball(Choices::new())));
    for input in opening.into_iter().chain(balls) {
        let decision = the_match.decide(input, &mut dice, Some(&seed)).expect("legal");
        events.extend(decision.events);
        the_match = decision.after;
        if the_match.play().result().is_some() {
            break;
        }
    }
    events
}

fn seal(number: usize, events: &[EventData]) -> String {
    let match_id = MatchId::from_u128(0x0194_0000_0000_7000_8000_0000_0000_0000 + number as u128);
    let mut head = Head::default();
    let mut log = String::new();
    for (i, data) in events.iter().enumerate() {
        let at = 1_767_225_600_000 + MILLISECONDS_A_BALL * i as i64;
        let at = DateTime::from_timestamp_millis(at).expect("a time");
        let over = matches!(data, EventData::MatchCompleted(_));
        let actor = if over { Actor::Service } else { Actor::Scorer };
        let (event, entry) = Event::seal(match_id, &head, at, actor, data.clone()).expect("hashable");
        head = event.head();
        log += &entry.line();
        log.push('\n');
    }
    log
}
