//! The card of a match with its charts: what it tells is what the service has, as of now and of another time.

use serde_json::{Value, json};
use third_umpire_test_support::service::{AWAY, HOME, Match, seeded, table, with};

use crate::games::{appealed, won_by_the_last_ball};
use crate::phone::{Model, Phone};
use crate::table::Table;

/// A match of one over a side by dice of a seed, played to its end.
fn finished(service: &Table, game: &str, rules: Value) -> Match {
    let request = with(with(seeded(1), "/game", json!(game)), "/rules", rules);
    let request = with(with(request, "/home/players", json!(HOME)), "/away/players", json!(AWAY));
    let played = service.begun(&request);
    played.post("/autoplay", &json!({"until": "match"})).expect(201);
    played
}

fn card_of(played: &Match) -> String {
    format!("/m/{}/card", played.id)
}

/// Waits for the charts.
fn opens(phone: &Phone, path: &str) {
    phone.opens(path);
    phone.waits("the charts are there", "return document.querySelector('.charts, [data-past]') !== null");
    phone.settles();
}

/// The numbers behind a chart: its rows, each a list of texts.
fn numbers(phone: &Phone, chart: &str) -> Vec<Vec<String>> {
    let script = "return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)].map((row) => \
        [...row.children].map(({textContent}) => textContent.trim()))";
    serde_json::from_value(phone.run(script, vec![json!(chart)])).expect("rows")
}

#[test]
fn the_charts_have_the_sums_of_the_card_and_every_ball_leads_to_its_page() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = finished(&service, "howzat", json!({"overs": 2}));
    opens(&phone, &card_of(&played));
    let card = played.get("/scorecard").expect(200);
    let total = |place: usize| card["innings"][place]["total"]["runs"].as_u64().expect("a total");
    let worm = numbers(&phone, "worm");
    assert_eq!(worm.last().expect("an over")[1..], [total(0).to_string(), total(1).to_string()]);
    let runs: u64 = numbers(&phone, "runs")
        .iter()
        .flat_map(|row| {
            row[1..4].iter().map(|cell| cell.parse::<u64>().expect("a number")).collect::<Vec<_>>()
        })
        .sum();
    assert_eq!(runs, total(0) + total(1), "all runs come from somewhere");
    let stands: u64 = numbers(&phone, "stands")
        .iter()
        .map(|row| row[1].trim_end_matches('*').parse::<u64>().expect("runs"))
        .sum();
    assert_eq!(stands, total(0) + total(1));
    let pairs = phone.run("return [...document.querySelectorAll('.pairs li')].map((pair) => [pair.querySelector('b').textContent, pair.querySelector('a')?.pathname ?? null])", vec![]);
    let told = card["innings"].as_array().into_iter().flatten();
    let told = told.flat_map(|innings| innings["partnerships"].as_array().into_iter().flatten());
    let due: Vec<Value> = told
        .map(|pair| {
            let star = if pair["unbroken"] == true { "*" } else { "" };
            let ball = pair["delivery"].as_u64().map(|ball| format!("/m/{}/ball/{ball}", played.id));
            json!([format!("{}{star}", pair["runs"]), ball])
        })
        .collect();
    assert_eq!(pairs, json!(due));
    assert!(due.len() >= 2, "each innings has a pair");
    let rows = played.get("/deliveries").expect(200)["deliveries"].as_array().expect("rows").clone();
    let links = phone
        .run("return [...document.querySelectorAll('.over-rows a')].map(({pathname}) => pathname)", vec![]);
    let due: Vec<String> =
        rows.iter().map(|row| format!("/m/{}/ball/{}", played.id, row["delivery"])).collect();
    assert_eq!(links, json!(due));
    assert_eq!(
        numbers(&phone, "chase").len(),
        rows.iter().filter(|row| row["innings"] == 2 && row["legal"] == true).count()
    );
    // Each chart is named by its question and its answer.
    let names = phone.run("return [...document.querySelectorAll('.chart svg[role=img]')].map((one) => one.getAttribute('aria-label'))", vec![]);
    let names: Vec<String> = serde_json::from_value(names).expect("names");
    assert!(names.len() >= 4 && names.iter().all(|name| !name.is_empty()), "{names:?}");
    assert!(names[0].starts_with("Who was ahead, and when?"), "{names:?}");
    let hash = card["head"]["hash"].as_str().expect("a hash");
    phone.reads(
        ".check",
        &format!("Check mark {} … {}, event {}.", &hash[..4], &hash[60..], card["head"]["seq"]),
    );
}

/// How the dice of a match fell, as its card has it.
fn luck_on_card(phone: &Phone, played: &Match) -> Value {
    opens(phone, &card_of(played));
    phone.waits("the dice are told", "return document.querySelector('.luck') !== null");
    phone.settles();
    played.get("/luck").expect(200)
}

#[test]
fn the_card_of_a_match_of_dice_alone_says_how_they_fell() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 1280, height: 800, ..Model::PHONE }, &service.address())
    else {
        return;
    };
    let played = finished(&service, "howzat", json!({"overs": 2}));
    let luck = luck_on_card(&phone, &played);
    let hundred =
        |chances: &Value, side: &str| format!("{:.1}", 100.0 * chances[side].as_f64().expect("a chance"));
    let mut due: Vec<[String; 3]> = luck["deliveries"]
        .as_array()
        .expect("deliveries")
        .iter()
        .map(|row| ["home", "away", "tie"].map(|result| hundred(&row["after"], result)))
        .collect();
    // Only the last ball of a match leaves a chance of 0 or 100.
    let open = due.len() - 1;
    for chance in due[..open].iter_mut().flatten() {
        match chance.as_str() {
            "0.0" => "<0.1".clone_into(chance),
            "100.0" => ">99.9".clone_into(chance),
            _ => {}
        }
    }
    let told: Vec<Vec<String>> =
        numbers(&phone, "chances").into_iter().map(|row| row[2..].to_vec()).collect();
    assert_eq!(json!(told), json!(due));
    let view = played.view();
    let winner = view["result"]["winner"].as_str().expect("a winner");
    phone.reads("#chances", &format!("{} won, from ", view[winner]["name"].as_str().expect("a name")));
    match &luck["turn"] {
        Value::Null => phone.reads("#turn", "No single throw turned it."),
        turn => {
            phone.reads(
                "#turn",
                &format!("moved it by {:.0} in 100", 100.0 * turn["swing"].as_f64().expect("a swing")),
            );
            let ball = phone.run("return document.querySelector('#turn a').pathname", vec![]);
            assert_eq!(ball, json!(format!("/m/{}/ball/{}", played.id, turn["delivery"])));
        }
    }
    assert_eq!(phone.run("return document.querySelectorAll('#help tbody tr').length", vec![]), 4);
    let seen = phone.run(
        "return [...document.querySelectorAll('#faces td')].map((cell) => parseInt(cell.textContent, 10))",
        vec![],
    );
    let seen: Vec<u64> = serde_json::from_value(seen).expect("counts");
    let dice = luck["deliveries"].as_array().into_iter().flatten();
    let dice = dice.map(|row| row["dice"].as_array().map_or(0, Vec::len) as u64).sum::<u64>();
    assert_eq!((seen.len(), seen.iter().sum::<u64>()), (12, dice));
    // Nothing that was open is told as settled.
    let certain =
        phone.run("return /\\b(0|100) in 100/.test(document.querySelector('.luck').innerText)", vec![]);
    assert_eq!(certain, json!(false));
    assert!(!phone.text("#faces").contains("typed"), "the dice are the service's");
}

#[test]
fn the_dice_of_a_card_of_another_time_are_those_of_then() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 1280, height: 800, ..Model::PHONE }, &service.address())
    else {
        return;
    };
    // The six off the last ball was a single.
    let played = won_by_the_last_ball(&service);
    let (then, won) = (played.head().seq, played.view());
    played.post("/corrections", &json!({"amends": 12, "dice": [2, 1], "reason": "Misread die"})).expect(201);
    let now = played.view();
    let name = |view: &Value| {
        let winner = view["result"]["winner"].as_str().expect("a winner");
        view[winner]["name"].as_str().expect("a name").to_owned()
    };
    assert_ne!(name(&won), name(&now));
    let opens_then = |query: &str| {
        opens(&phone, &format!("{}?{query}", card_of(&played)));
        phone.waits("the dice are told", "return document.querySelector('.luck') !== null");
        phone.settles();
    };
    opens_then(&format!("as_known_at={then}"));
    phone.reads("#chances", &format!("{} won, from ", name(&won)));
    phone.reads("#turn", &format!("towards {}", name(&won)));
    opens_then("at=8");
    phone.reads("#chances", " in 100");
    assert!(!phone.has("#turn") && !phone.text("#chances").contains(" won, from "), "it was in play");
}

#[test]
fn a_card_tells_of_typed_dice_while_they_fall_and_of_none_where_choices_decide() {
    let service = Table::laid();
    let Some(phone) = Phone::of(Model { width: 1280, height: 800, ..Model::PHONE }, &service.address())
    else {
        return;
    };
    let played = service.begun(&table(2));
    played.bowl(&[2, 6]);
    let luck = luck_on_card(&phone, &played);
    let home = 100.0 * luck["deliveries"][0]["after"]["home"].as_f64().expect("a chance");
    phone.reads("#chances", &format!("win {home:.0} in 100"));
    phone.reads("#faces", "These are the dice that were typed.");
    assert!(!phone.has("#turn") && !phone.text("#help").contains("more help than"));
    // The next ball is told by itself.
    played.bowl(&[2, 5]);
    phone.waits("the next ball", "return document.querySelectorAll('#chances tbody tr').length === 2");
    let reviewed = service.begun(&with(table(2), "/rules", json!({"overs": 2, "drs": "house"})));
    reviewed.bowl(&[2, 6]);
    opens(&phone, &card_of(&reviewed));
    assert!(phone.has(".charts") && !phone.has(".luck"));
    let asked =
        "return performance.getEntriesByType('resource').filter(({name}) => /luck(\\?|$)/.test(name)).length";
    assert_eq!(phone.run(asked, vec![]), 0, "nothing is asked that is refused");
}

#[test]
fn a_phone_shows_a_part_of_the_card_and_a_laptop_all_of_it() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = finished(&service, "howzat", json!({"overs": 2}));
    opens(&phone, &card_of(&played));
    let seen = |phone: &Phone| {
        phone.run("return [...document.querySelectorAll('.part')].filter((part) => part.offsetHeight > 0).map(({dataset}) => dataset.of)", vec![])
    };
    assert_eq!(seen(&phone), json!(["1"]));
    for part in ["2", "charts", "dice", "balls"] {
        phone.taps(&format!(".parts [data-part='{part}']"));
        assert_eq!(seen(&phone), json!([part]));
        let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(phone.run(wide, vec![]), json!(0), "{part}");
    }
    drop(phone);
    let Some(laptop) = Phone::of(Model { width: 1280, height: 800, ..Model::PHONE }, &service.address())
    else {
        return;
    };
    opens(&laptop, &card_of(&played));
    assert_eq!(seen(&laptop), json!(["1", "2", "charts", "dice", "balls"]));
}

#[test]
fn a_card_names_who_kept_wicket_who_is_not_out_and_what_was_reviewed() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = service.begun(&with(table(2), "/rules", json!({"overs": 2, "drs": "house"})));
    played.post("/overs", &json!({"keeper": AWAY[3]})).expect(201);
    played.bowl(&[3, 5, 5, 1, 4]);
    played.post("/reviews", &json!({"by": "home", "dice": [2]})).expect(201);
    for _ in 0..5 {
        played.bowl(&[2, 3]);
    }
    played.post("/overs", &json!({"keeper": AWAY[5]})).expect(201);
    played.bowl(&[2, 1]);
    opens(&phone, &card_of(&played));
    let keepers = format!("Kept wicket: {}, from over 2 {}", AWAY[3], AWAY[5]);
    phone.reads(".innings", &keepers);
    phone.reads(".innings tbody .in", "not out");
    phone.reads("[data-reviews]", "The decision stands.");
    assert!(
        phone
            .run("return document.querySelector('[data-reviews] a').pathname", vec![])
            .as_str()
            .is_some_and(|path| path.ends_with("/ball/1"))
    );
    assert!(!phone.has("abbr"), "nobody of the side that bats has kept yet");
    // What the table agreed on stands there with its reason, and leads to its ball.
    let five = json!({"outcome": {"runs": {"batter": 5}}, "reason": "We all took it for a five"});
    let body = json!({"amends": 2, "as_stood": five, "reason": "So it was played"});
    played.post("/corrections", &body).expect(201);
    phone.waits(
        "it is told",
        "return document.querySelector('[data-agreed]')?.innerText.includes('took it for a five') ?? false",
    );
    phone.reads("[data-agreed]", "0.2");
    // Another ball is there by itself.
    let before = numbers(&phone, "runs").len();
    assert_eq!(before, 2);
    for _ in 0..5 {
        played.bowl(&[2, 6]);
    }
    phone.waits(
        "the innings has ended",
        "return document.querySelector('#worm tbody tr:last-child td')?.textContent === '36'",
    );
    played.bowl(&[2, 4]);
    phone.waits("the chase has begun", "return document.querySelectorAll('.innings h2').length > 1 && document.querySelector('abbr') === null");
}

#[test]
fn a_card_of_another_time_says_so_and_leads_to_that_of_now() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["400", "404", "422"];
    let played = finished(&service, "howzat", json!({"overs": 1}));
    let first = played.events().iter().find(|event| event["kind"] == "ball").expect("a ball")["seq"].clone();
    opens(&phone, &format!("{}?at={first}", card_of(&played)));
    phone.reads("[data-past]", &format!("This is the card as of event {first}."));
    phone.waits("it has one ball", "return document.querySelectorAll('.over-rows a').length === 1");
    phone.reads(".check", &format!("event {first}."));
    opens(&phone, &format!("{}?at={first}&as_known_at={first}", card_of(&played)));
    phone.reads("[data-past]", "It leaves out what was corrected after event");
    // An event that the match does not have, and none at all.
    for at in ["100000", "first", ""] {
        phone.opens(&format!("{}?at={at}", card_of(&played)));
        phone.waits("it is told", "const said = document.querySelector('[data-past]')?.innerText ?? ''; return said !== '' && !said.includes('This is the card')");
    }
    phone.taps("[data-past] a");
    phone.waits("the card of now is there", "return document.querySelectorAll('.over-rows a').length > 1");
    assert!(!phone.has("[data-past]"));
}

#[test]
fn a_card_before_the_toss_in_a_review_and_at_a_void_ball_is_that_of_then() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let reviewed = appealed(&service);
    let asked = reviewed.head().seq;
    reviewed.post("/reviews", &json!({"by": "home", "dice": [6]})).expect(201);
    let corrected = service.begun(&table(2));
    corrected.bowl(&[2, 4]);
    let void = corrected.head().seq;
    corrected.post("/corrections", &json!({"voids_from": 1, "reason": "Misread die"})).expect(201);
    let opens_at = |played: &Match, at: u64| {
        opens(&phone, &format!("{}?at={at}", card_of(played)));
        phone.reads("[data-past]", &format!("This is the card as of event {at}."));
    };
    opens_at(&reviewed, 1);
    phone.waits("nobody has batted", "return document.querySelector('.innings') === null");
    opens_at(&reviewed, asked);
    phone.waits(
        "the wicket stands",
        "return document.querySelector('.innings .sum')?.innerText.includes('1 wicket') ?? false",
    );
    // The correction counts, unless the card is as it was known then.
    opens_at(&corrected, void);
    phone.reads("main", "No ball yet.");
    opens(&phone, &format!("{}?at={void}&as_known_at={void}", card_of(&corrected)));
    phone.waits("the ball stands", "return document.querySelector('.innings .sum td')?.innerText === '4'");
}

#[test]
fn a_match_without_a_ball_an_abandoned_one_and_one_of_four_innings_have_their_cards() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let new = service.begun(&table(1));
    phone.opens(&card_of(&new));
    phone.reads("main", "No ball yet.");
    phone.reads(".check", "Check mark");
    new.bowl(&[2, 4]);
    new.post("/abandonment", &json!({"reason": "Rain"})).expect(201);
    opens(&phone, &card_of(&new));
    assert_eq!(numbers(&phone, "worm"), [["1", "4"]]);
    assert!(!phone.has("#chase"), "nothing was chased");
    let long = finished(&service, "cuberoots", json!({"variant": "test"}));
    opens(&phone, &card_of(&long));
    let innings = long.view()["score"]["innings"].as_array().map(Vec::len).expect("innings");
    assert!(innings > 2, "{innings}");
    assert_eq!(
        phone.run("return document.querySelectorAll('.parts button').length", vec![]),
        json!(innings + 2)
    );
    assert_eq!(numbers(&phone, "worm")[0].len(), innings + 1);
    phone.reads("#worm", "innings 3");
}
