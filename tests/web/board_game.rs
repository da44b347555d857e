//! The board game on the pad, whole and as it is played: bowl, stroke, attitude, card, skills, field, dice.

use serde_json::{Map, Value, json};
use third_umpire_test_support::service::{Cup, Match};

use crate::games::{board_game, board_game_on};
use crate::phone::Phone;
use crate::table::{Table, balls_of, pad_of, play_of};

/// The time that a ball is held.
const HOLD: u64 = 4000;

/// Counts the taps of a page.
const COUNTING: &str = "globalThis.taps = 0; addEventListener('click', () => (taps += 1), true)";

/// The requests of an answer that belong to an operation.
pub fn request<'a>(next: &'a Value, operation: &str) -> Option<&'a Value> {
    next["requests"].as_array()?.iter().find(|request| request["operation"] == operation)
}

pub fn asks(request: &Value) -> impl Iterator<Item = &Value> {
    request["asks"].as_array().into_iter().flatten()
}

/// The options of an ask that are legal now.
pub fn options(ask: &Value) -> Vec<Value> {
    let options = ask["options"].as_array().cloned().unwrap_or_default();
    options.into_iter().filter(|option| option["why_not"].is_null()).collect()
}

/// A value that an ask can have now: one of those that are liked, if it has any.
fn picked(ask: &Value, likes: &dyn Fn(&Value) -> bool, cup: &mut Cup) -> Value {
    let mut open = options(ask);
    // Faces that are printed alike are one key, which sends the least value.
    let mut faces = Vec::new();
    open.retain(|option| {
        let is_new = option["face"].is_null() || !faces.contains(&option["face"]);
        faces.push(option["face"].clone());
        is_new
    });
    if open.iter().any(likes) {
        open.retain(likes);
    }
    match (ask["kind"].as_str(), ask["minimum"].as_i64()) {
        (Some("some"), _) => json!([cup.pick(&open)["value"]]),
        (Some("order"), _) => {
            open.rotate_left(cup.throw(2) as usize);
            let count = ask["count"].as_u64().unwrap_or_default() as usize;
            open[..count].iter().map(|option| option["value"].clone()).collect()
        }
        (Some("places"), _) => cup.pick(&[&ask["places"]["now"], &ask["places"]["named"][0]["at"]]).clone(),
        (_, Some(least)) if open.is_empty() => {
            json!(least + cup.throw(ask["maximum"].as_u64().unwrap_or(1)) - 1)
        }
        _ => cup.pick(&open)["value"].clone(),
    }
}

/// The body of a ball with these choices, whose other choices and dice fall as they like.
pub fn thrown(played: &Match, choices: Map<String, Value>, cup: &mut Cup) -> Value {
    liked(played, choices, &|_| false, cup)
}

/// The body of a ball with these choices. Its other choices and dice are those that are liked, if any are.
pub fn liked(
    played: &Match,
    mut choices: Map<String, Value>,
    likes: &dyn Fn(&Value) -> bool,
    cup: &mut Cup,
) -> Value {
    let mut dice: Vec<Value> = Vec::new();
    loop {
        let body = json!({"choices": choices, "dice": dice});
        let preview = played.post("/balls/preview", &body).expect(200);
        if preview["done"] == true {
            return body;
        }
        let request = request(&preview["next"], "bowl_ball").expect("a ball");
        let ask = asks(request).find(|ask| ask["required"] == true).expect("something is asked");
        let value = picked(ask, likes, cup);
        match ask["at"].as_str().and_then(|at| at.strip_prefix("choices.")) {
            Some(name) => drop(choices.insert(name.to_owned(), value)),
            None => dice.push(value),
        }
    }
}

/// A field in which one fielder stands elsewhere, and who stands where.
pub fn moved_field(played: &Match) -> (Value, Value) {
    let view = played.view();
    let over = request(&view["next"], "begin_over").expect("an over");
    let field = asks(over).find(|ask| ask["kind"] == "places").expect("a field");
    let name = field["places"]["names"][0].as_str().expect("a name");
    let places = field["places"]["places"].as_array().cloned().unwrap_or_default();
    let fields = places.iter().map(|place| {
        let mut now = field["places"]["now"].clone();
        now[name] = place["id"].clone();
        now
    });
    let is_other = |of: &Value| of[name] != field["places"]["now"][name];
    let mut legal = fields.filter(is_other);
    let is_legal = |of: &Value| played.post("/overs/preview", &json!({"field": of})).status == 200;
    let field = legal.find(is_legal).expect("a place is free");
    let moved = json!({name: field[name]});
    (field, moved)
}

/// Records a match by the API: at each second ball another bowl or stroke than before; a power play, a field,
/// attitudes and skills. Returns the fielder who was moved, too.
fn recorded(service: &Table, cup: &mut Cup) -> (Match, Value) {
    let sent = board_game_on(service, "spin");
    let (mut overs, mut balls, mut moved, mut before) = (0, 0, Value::Null, Value::Null);
    loop {
        let view = sent.view();
        let next = &view["next"];
        let Some(ball) = request(next, "bowl_ball") else { break };
        if let Some(over) = request(next, "begin_over") {
            overs += 1;
            let choices = match overs {
                1 => json!({"attitudes": ["aggressive", "defensive"]}),
                3 => json!({"power_play": true}),
                5 => {
                    let (field, one) = moved_field(&sent);
                    moved = one;
                    json!({"field": field})
                }
                _ => json!({}),
            };
            assert!(asks(over).any(|ask| ask["at"] == "bowler"), "{over}");
            sent.post("/overs", &choices).expect(201);
            continue;
        }
        balls += 1;
        let mut choices = Map::new();
        let changed = ["stroke", "bowl"][balls / 2 % 2];
        for name in ["stroke", "bowl"] {
            let Some(ask) = asks(ball).find(|ask| ask["at"] == format!("choices.{name}")) else { continue };
            let can_have = |value: &&Value| options(ask).iter().any(|option| option["value"] == **value);
            let again = before[name].is_string().then_some(&before[name]).filter(can_have).cloned();
            let is_new = name == changed && balls % 2 == 0;
            let value = again.filter(|_| !is_new).or_else(|| is_new.then(|| picked(ask, &|_| false, cup)));
            choices.extend(value.map(|value| (name.to_owned(), value)));
        }
        if balls == 3 {
            choices.insert("skills".to_owned(), json!({"bowler": ["effort_ball"]}));
        }
        if balls == 4 {
            choices.insert("attitude".to_owned(), json!("aggressive"));
        }
        let body = thrown(&sent, choices, cup);
        let added = sent.post("/balls", &body).expect(201);
        let ball = added["events"].as_array().into_iter().flatten().find(|event| event["kind"] == "ball");
        before = ball.expect("a ball")["data"]["choices"].clone();
        if !view["situation"]["innings_ended"].is_null() {
            before = Value::Null;
        }
    }
    (sent, moved)
}

/// What the pad asks now, by its place in the body.
pub fn asked(phone: &Phone) -> String {
    let at = phone.run("return document.querySelector('.pad-ask').dataset.asks ?? ''", vec![]);
    at.as_str().unwrap_or_default().to_owned()
}

/// Chooses on the sheet of an ask, unless that stands there already.
pub fn changes(phone: &Phone, at: &str, value: &Value) {
    let chip = format!("[data-action='ask:{at}']");
    let stands = format!("return document.querySelector(`{chip}`)?.dataset.value ?? ''");
    let wanted = match value {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if phone.has(&chip) && phone.run(&stands, vec![]) == json!(wanted) {
        return;
    }
    match at {
        // Who bats and bowls stands in the book.
        "openers" => phone.taps("[data-cell='striker']"),
        "bowler" => phone.taps("[data-cell='bowler']"),
        _ => {
            // What an over begins with stands under More where the pad asks no choice of its first ball.
            if !phone.has(&chip) {
                phone.taps("[data-action='more']");
            }
            phone.taps(&chip);
        }
    }
    match value {
        Value::Object(field) => {
            for (name, place) in field {
                let place = place.as_str().unwrap_or_default();
                for row in [format!("dialog [data-who='{name}']"), format!("dialog [data-where='{place}']")] {
                    // A finger scrolls to what the foot of the sheet lies over.
                    let scrolls = "document.querySelector(arguments[0]).scrollIntoView({block: 'nearest'})";
                    phone.run(scrolls, vec![json!(row)]);
                    phone.taps(&row);
                }
            }
        }
        Value::Array(all) => {
            for one in all {
                phone.taps(&format!("dialog [data-choice='{}']", one.as_str().unwrap_or_default()));
            }
        }
        Value::Number(_) if phone.has("dialog [data-die]") => {
            phone.taps(&format!("dialog [data-die='{wanted}']"));
        }
        _ => phone.taps(&format!("dialog [data-choice='{wanted}']")),
    }
    if phone.has("dialog [data-action='confirm']") {
        phone.taps("dialog [data-action='confirm']");
    }
    assert!(!phone.has("dialog"), "{at} is chosen");
}

/// Who comes in, where that is somebody else than the pad says.
fn comes_in(phone: &Phone, name: &str) {
    let said = phone.text("[data-cell='striker']");
    if !said.contains(name) {
        phone.taps("[data-cell='striker']");
        phone.taps(&format!("dialog [data-choice='{name}']"));
    }
}

/// Taps a ball as the log has it. What the pad has as its default stays.
pub fn taps_ball(phone: &Phone, ball: &Value) {
    let choices = &ball["data"]["choices"];
    if let Some(name) = choices["next_batter"].as_str() {
        comes_in(phone, name);
    }
    if choices["next_attitude"] == "aggressive" {
        changes(phone, "choices.next_attitude", &choices["next_attitude"]);
    }
    if phone.has(".steps") {
        if !choices["bowl"].is_null() {
            changes(phone, "choices.bowl", &choices["bowl"]);
        }
        for side in ["bowler", "batter"] {
            if let Value::Array(skills) = &choices["skills"][side] {
                changes(phone, &format!("choices.skills.{side}"), &json!(skills));
            }
        }
        if let Some(attitude) = choices["attitude"].as_str()
            && !phone.has(&format!(".step-on [data-choice='{attitude}'] input:checked"))
        {
            phone.taps(&format!(".step-on [data-choice='{attitude}']"));
        }
        // A stroke leads on by itself.
        let stroke = choices["stroke"].as_str().unwrap_or_default();
        let other = format!(".zone:not(.chosen)[data-choice='{stroke}']");
        phone.taps(if phone.has(&other) { &other } else { "[data-action='step']" });
    }
    if asked(phone) == "choices.over_card" {
        phone.taps(&format!("[data-choice='{}']", choices["over_card"].as_str().unwrap_or_default()));
    }
    let dice = ball["data"]["dice"].as_array().into_iter().flatten().map(|die| die["value"].clone());
    taps_rest(phone, choices, dice.collect());
}

/// How many of the choices of a ball its dice have raised.
pub fn raised(choices: &Value) -> usize {
    let names = ["run", "longer", "chance", "reroll_bowler", "reroll_batter"];
    names.iter().filter(|name| !choices[**name].is_null()).count()
}

/// Taps the dice of a ball, and the choices that they raise, as they are asked.
fn taps_rest(phone: &Phone, choices: &Value, dice: Vec<Value>) {
    let left = dice.len() + raised(choices);
    let mut dice = dice.into_iter();
    for _ in 0..left {
        phone.waits_ms(400);
        let at = asked(phone);
        match at.strip_prefix("choices.") {
            Some("run") => phone.taps(&format!("[data-die='{}']", choices["run"])),
            Some(name) => {
                let value = &choices[name];
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                phone.taps(&format!("[data-choice='{value}']"));
            }
            None => phone.taps(&format!("[data-die='{}']", dice.next().expect("a die is asked"))),
        }
    }
    phone.waits_ms(400);
}

#[test]
fn a_t10_of_the_board_game_typed_by_touch_equals_that_of_the_api() {
    let service = Table::laid();
    let Some(phone) = Phone::without_motion(&service.address()) else { return };
    // Both sides are all out early.
    let mut cup = Cup::new(24);
    let ((sent, moved), typed) = (recorded(&service, &mut cup), board_game(&service));
    phone.opens(&pad_of(&typed));
    phone.taps("[data-choice='spin']");
    phone.waits_ms(400);
    typed.begin();
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    phone.run(COUNTING, vec![]);
    let events = play_of(&sent);
    let (mut overs, mut taps, mut balls, mut express) = (0, 0, 0, (0, 0));
    for (place, event) in events.iter().enumerate() {
        let counted = || phone.run("return taps", vec![]).as_u64().unwrap_or_default();
        match event["kind"].as_str() {
            Some("over") => {
                let choices = &event["data"]["choices"];
                overs += 1;
                if overs == 5 {
                    changes(&phone, "field", &moved);
                }
                if choices["power_play"] == true {
                    changes(&phone, "power_play", &choices["power_play"]);
                }
                if !choices["attitudes"].is_null() {
                    changes(&phone, "attitudes", &choices["attitudes"]);
                }
            }
            Some("ball") => {
                let before = counted();
                let is_express = event["data"]["choices"]["bowl"].is_null();
                taps_ball(&phone, event);
                let of_it = counted() - before;
                if is_express {
                    express = (express.0 + of_it, express.1 + 1)
                } else {
                    (taps, balls) = (taps + of_it, balls + 1)
                }
            }
            other => assert!(!matches!(other, Some("review")), "{place}: {event}"),
        }
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "finished");
    let (typed, sent) = (play_of(&typed), play_of(&sent));
    for (one, other) in typed.iter().zip(&sent) {
        assert_eq!(one["data"], other["data"], "{}", one["kind"]);
        assert_eq!((&one["kind"], &one["actor"]), (&other["kind"], &other["actor"]));
    }
    assert_eq!(typed.len(), sent.len());
    println!("{taps} taps for {balls} balls, {} for {} of express play", express.0, express.1);
    assert!(taps + express.0 <= 6 * (balls + express.1), "{taps} taps for {balls} balls, {express:?}");
    assert!(express.0 <= 2 * express.1, "{express:?}");
}

#[test]
fn a_bowl_of_another_style_goes_with_its_bowler_and_the_rule_is_read_beside_the_question() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected.push("422");
    let played = board_game_on(&service, "neutral");
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='rules']");
    phone.reads("dialog", "A bowl is a card of the bowler's style.");
    phone.taps("dialog [data-action='close']");
    changes(&phone, "choices.bowl", &json!("cutter"));
    // A spin bowler has no cutter: the bowl is asked as of him, and it is said why.
    phone.taps("[data-cell='bowler']");
    phone.taps("dialog [data-choice='Araminta Goh']");
    phone.reads("[data-said]", "is not a spin bowl");
    phone.waits_ms(400);
    changes(&phone, "choices.bowl", &json!("googly"));
    phone.taps(".zone[data-choice='cut']");
    // A reload between the stroke and the card forgets neither.
    phone.reloads();
    assert!(phone.has(".zone.chosen[data-choice='cut']"), "{}", phone.text("body"));
    phone.taps("[data-action='step']");
    phone.reads(".undo", "Back to stroke");
    phone.taps(".undo");
    assert!(phone.has(".steps"));
    phone.taps("[data-action='step']");
    phone.taps(".pad-ask [data-choice]");
    phone.waits_ms(400);
    while phone.has(".pad-ask [data-die], .pad-ask .ways-keys [data-choice]") && !phone.has(".ask.held") {
        phone.taps(".pad-ask [data-die], .pad-ask .ways-keys [data-choice]");
        phone.waits_ms(400);
    }
    phone.waits_ms(HOLD);
    phone.reads(".sync", "saved");
    let play = play_of(&played);
    let of = |kind: &str| play.iter().find(|event| event["kind"] == kind).expect("an event")["data"].clone();
    assert_eq!(of("over")["choices"]["bowler"], "Araminta Goh");
    assert_eq!(
        (&of("ball")["choices"]["bowl"], &of("ball")["choices"]["stroke"]),
        (&json!("googly"), &json!("cut"))
    );
}

/// Whether a way on an open sheet, or a key, is closed, with why in words.
fn is_closed(phone: &Phone, way: &str, why: &str) {
    phone.reads(way, why);
    let closed = "return document.querySelector(arguments[0]).matches('[aria-disabled=true]')";
    assert_eq!(phone.run(closed, vec![json!(way)]), true, "{way}: {}", phone.text(way));
}

#[test]
fn a_used_card_a_used_skill_and_a_bowler_who_may_not_bowl_are_closed_and_say_why() {
    let service = Table::laid();
    let Some(phone) = Phone::at(&service.address()) else { return };
    let played = board_game_on(&service, "neutral");
    let mut cup = Cup::new(5);
    let view = played.view();
    let bowler = asks(request(&view["next"], "begin_over").expect("an over"))
        .find(|ask| ask["at"] == "bowler")
        .expect("a bowler")["default"]
        .clone();
    let mut choices = Map::new();
    choices.insert("skills".to_owned(), json!({"bowler": ["effort_ball"]}));
    let first = thrown(&played, choices, &mut cup);
    let added = played.post("/balls", &first).expect(201);
    let card = first["choices"]["over_card"].clone();
    phone.opens(&pad_of(&played));
    changes_nothing(&phone, "choices.skills.bowler", "effort_ball", "used, this over");
    phone.taps("[data-action='step']");
    is_closed(
        &phone,
        &format!(".pad-ask [data-choice='{}']", card.as_str().unwrap_or_default()),
        "ball 1, this over",
    );
    // Sent all the same, each is refused by its rule, and nothing is recorded.
    let head = added["head"]["seq"].clone();
    let used = json!({"choices": {"skills": {"bowler": ["effort_ball"]}}, "dice": []});
    played.post("/balls", &used).refused(422, "illegal-input");
    let again = json!({"choices": {"over_card": card}, "dice": []});
    played.post("/balls", &again).refused(422, "illegal-input");
    assert_eq!(played.view()["head"]["seq"], head);
    // The over goes on to its end: nobody bowls two running.
    while request(&played.view()["next"], "begin_over").is_none() {
        let ball = thrown(&played, Map::new(), &mut cup);
        played.post("/balls", &ball).expect(201);
    }
    phone.waits("the over has ended", "return document.querySelector('[data-cell=bowler] .change') !== null");
    phone.settles();
    phone.taps("[data-cell='bowler']");
    let name = bowler.as_str().unwrap_or_default();
    let sheet = phone.text("dialog");
    assert!(sheet.contains(name) && sheet.contains("Cannot"), "{sheet}");
    assert!(!phone.has(&format!("dialog [data-choice='{name}']:not([aria-disabled=true])")), "{sheet}");
    played.post("/overs", &json!({"bowler": bowler})).refused(422, "illegal-input");
}

/// A choice of a list that cannot be taken says why, and a tap on it chooses nothing.
fn changes_nothing(phone: &Phone, at: &str, value: &str, why: &str) {
    phone.taps(&format!("[data-action='ask:{at}']"));
    let sheet = phone.text("dialog");
    assert!(sheet.contains(why), "{sheet}");
    assert!(!phone.has(&format!("dialog [data-choice='{value}']:not([aria-disabled=true])")), "{sheet}");
    phone.taps("dialog [data-action='close']");
}

#[test]
fn a_field_that_the_power_play_forbids_goes_with_its_reason() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let played = board_game_on(&service, "neutral");
    let mut cup = Cup::new(5);
    // The power play may be called from the third over on, where five may stand in the outfield.
    let over = |at: &str| {
        let view = played.view();
        let over = request(&view["next"], "begin_over").cloned().unwrap_or_default();
        asks(&over).find(|ask| ask["at"] == at).cloned()
    };
    while over("power_play").is_none() {
        let ball = thrown(&played, Map::new(), &mut cup);
        played.post("/balls", &ball).expect(201);
    }
    let (field, before) = (over("field").expect("a field"), balls_of(&played));
    let now = field["places"]["now"].as_object().expect("a field");
    let (name, _) = now.iter().find(|(_, place)| *place == "cut.2" || *place == "off_cover.2").expect("one");
    phone.opens(&pad_of(&played));
    changes(&phone, "field", &json!({name: "glance_hook.2"}));
    phone.reads("[data-action='ask:field']", "1 moved");
    changes(&phone, "power_play", &json!(true));
    // The field that stands goes with the power play, and what was moved goes with why.
    phone.reads("[data-said]", "5 fielders stand in the outfield; in this over it takes 2");
    phone.reads("[data-action='ask:power_play']", "Power play");
    phone.reads("[data-action='ask:field']", "as it is");
    phone.taps("[data-action='step']");
    // Any card, and any die that is asked.
    while balls_of(&played) == before {
        phone.waits_ms(400);
        let way = ["[data-die]", ".pad-ask [data-choice]:not([aria-disabled])"];
        match way.into_iter().find(|way| phone.has(way)) {
            Some(way) => phone.taps(way),
            None => phone.waits_ms(HOLD),
        }
    }
    let over = play_of(&played).into_iter().rfind(|event| event["kind"] == "over").expect("an over");
    assert_eq!(over["data"]["choices"]["power_play"], true);
    let out = over["data"]["choices"]["field"].as_array().into_iter().flatten();
    assert_eq!(out.filter(|place| place.as_str().is_some_and(|place| place.ends_with(".3"))).count(), 2);
}

#[test]
fn an_attitude_stays_with_its_batter_and_express_play_is_announced_before_its_over() {
    let service = Table::laid();
    let Some(mut phone) = Phone::at(&service.address()) else { return };
    phone.expected = vec!["422"];
    let played = board_game_on(&service, "neutral");
    phone.opens(&pad_of(&played));
    phone.waits("a ball is due", "return document.querySelector('.steps') !== null");
    // A single by a batter who is aggressive: the other one faces, and is defensive.
    phone.taps(".step-on [data-choice='aggressive']");
    let view = played.view();
    let ball = request(&view["next"], "bowl_ball").expect("a ball");
    let attitude = asks(ball).find(|ask| ask["at"] == "choices.attitude").expect("an attitude");
    let first = attitude["player"].clone();
    assert!(first.is_string(), "{attitude}");
    phone.taps("[data-action='step']");
    let mut cup = Cup::new(3);
    loop {
        let choices = json!({"attitude": "aggressive"}).as_object().cloned().expect("choices");
        let body = thrown(&played, choices, &mut cup);
        let preview = played.post("/balls/preview", &body).expect(200);
        let facing = &preview["situation"]["striker"]["player"];
        let is_other = facing.is_string() && *facing != first;
        if is_other && preview["ball"]["wicket"].is_null() {
            phone
                .taps(&format!("[data-choice='{}']", body["choices"]["over_card"].as_str().expect("a card")));
            taps_rest(&phone, &body["choices"], body["dice"].as_array().cloned().unwrap_or_default());
            break;
        }
    }
    phone.reads(".step-on [data-choice]:has(:checked)", "Defensive");
    phone.waits_ms(HOLD);
    phone.reads(".step-on [data-choice]:has(:checked)", "Defensive");
    // The first balls of the second over are express.
    while request(&played.view()["next"], "begin_over").is_none() {
        let ball = thrown(&played, Map::new(), &mut cup);
        played.post("/balls", &ball).expect(201);
    }
    phone.waits(
        "it is told",
        "return document.querySelector('#question').innerText === 'Express: which card?'",
    );
}
