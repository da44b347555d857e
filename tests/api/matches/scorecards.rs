//! `GET /v1/matches/{id}/scorecard`, `/fall-of-wickets`, `/commentary`, `/deliveries` and `/replay`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Cup, Match, Service, seeded, step, table, tag_of};

const CARDS: [&str; 5] = ["/scorecard", "/fall-of-wickets", "/commentary", "/deliveries", "/replay"];

/// The five pages of a match, as text.
fn cards(played: &Match) -> [String; 5] {
    CARDS.map(|card| played.get(card).has_status(200).text().to_owned())
}

/// A short match with one of everything, and its pages after each append.
fn watched_match(service: &Service) -> (Match, Vec<(u64, [String; 5])>) {
    let played = service.create(&table(2));
    let mut watched = vec![(1, cards(&played))];
    played.begin();
    let mut cup = Cup::new(7);
    while played.view()["status"] != "completed" {
        played.throw(&mut cup);
        watched.push((played.head().seq, cards(&played)));
    }
    (played, watched)
}

on_both_stores!(a_card_of_the_past_is_the_card_that_was_served_then, |service| {
    let (played, watched) = watched_match(service);
    assert!(watched.len() > 20, "the match is worth watching");
    for (at, then) in &watched {
        for (card, then) in CARDS.iter().zip(then) {
            let again = played.get(&format!("{card}?at={at}"));
            assert_eq!(again.has_status(200).text(), then, "{card}?at={at}");
        }
    }
});

on_both_stores!(a_card_at_the_head_is_the_stored_one_byte_for_byte, |service| {
    let played = service.create(&seeded(2));
    loop {
        let head = played.head();
        for card in CARDS {
            let (stored, folded) = (played.get(card), played.get(&format!("{card}?at={}", head.seq)));
            assert_eq!(stored.has_status(200).body, folded.has_status(200).body, "{card} at {}", head.seq);
            assert_eq!([stored.tag(), folded.tag()], [tag_of(&head.hash), tag_of(&head.hash)]);
        }
        if played.view()["status"] == "completed" {
            break;
        }
        played.post("/autoplay", &json!({"until": "ball"})).expect(201);
    }
});

on_both_stores!(a_card_of_an_event_within_an_append_can_be_read, |service| {
    let played = service.create(&table(1));
    played.begin().bowl(&[2, 4]);
    // Event 4 is the over, event 5 the ball that came with it.
    let card = played.get("/scorecard?at=4").expect(200);
    assert_eq!((&card["at_seq"], &card["innings"][0]["total"]["runs"]), (&json!(4), &json!(0)));
    assert_eq!(played.get("/scorecard?at=5").expect(200)["innings"][0]["total"]["runs"], 4);
    assert_eq!(played.get("/scorecard?at=3").expect(200)["innings"], json!([]));
});

on_both_stores!(the_scorecard_adds_up_what_was_bowled, |service| {
    let played = service.create(&table(1));
    played.begin();
    for dice in [&[2, 4][..], &[1, 2], &[2, 1], &[3, 5, 3, 4, 5], &[1, 1, 3], &[1, 4, 1], &[2, 6], &[2, 3]] {
        played.bowl(dice);
    }
    let card = played.get("/scorecard").expect(200);
    assert_eq!(
        (&card["home"], &card["away"], &card["status"]),
        (&json!("Harbour Road"), &json!("Mill Lane"), &json!("in_play"))
    );
    let innings = &card["innings"][0];
    assert_eq!(innings["total"], json!({"runs": 14, "wickets": 1, "overs": "1.0", "balls": 6}));
    let extras = json!({"byes": 0, "leg_byes": 1, "wides": 1, "no_balls": 1, "penalty": 0, "total": 3});
    assert_eq!(innings["extras"], extras);
    let batter = |at: usize| {
        let line = &innings["batters"][at];
        json!([line["player"], line["runs"], line["balls"], line["how_out"], line["strike_rate"]])
    };
    assert_eq!(batter(0), json!(["Abel", 11, 4, null, "275.00"]));
    assert_eq!(batter(1), json!(["Brook", 0, 1, "c Rhodes b Verity", "0.00"]));
    assert_eq!(batter(2), json!(["Crane", 0, 2, null, "0.00"]));
    assert_eq!(
        (&innings["batters"][3]["status"], &innings["batters"][3]["strike_rate"]),
        (&json!("did not bat"), &Value::Null)
    );
    let bowler = json!({
        "player": "Verity", "overs": "1.0", "balls": 6, "maidens": 0, "runs": 13, "wickets": 1, "wides": 1,
        "no_balls": 1, "economy": "13.00",
    });
    assert_eq!(innings["bowlers"], json!([bowler]));
    let place = json!({"innings": 1, "over": 1, "ball": 4, "text": "0.4"});
    let fall = json!([{
        "wicket": 1, "runs": 6, "player": "Brook", "over": "0.3", "delivery": 4, "place": place,
    }]);
    assert_eq!(innings["fall_of_wickets"], fall);
    let [broken, unbroken] = [&innings["partnerships"][0], &innings["partnerships"][1]];
    assert_eq!([&broken["delivery"], &broken["place"]], [&json!(4), &place]);
    assert_eq!([unbroken.get("delivery"), unbroken.get("place")], [None, None]);
    assert_eq!((&innings["run_rate"], &card["target"]), (&json!("14.00"), &json!(15)));
});

on_both_stores!(the_fall_of_wickets_is_the_scorecards, |service| {
    let (played, _) = watched_match(service);
    for at in [6, 12, played.head().seq] {
        let card = played.get(&format!("/scorecard?at={at}")).expect(200);
        let fall = played.get(&format!("/fall-of-wickets?at={at}")).expect(200);
        assert_eq!(
            (&fall["at_seq"], &fall["head"], &fall["match"]),
            (&card["at_seq"], &card["head"], &card["match"])
        );
        let (card, fall) =
            (card["innings"].as_array().expect("a list"), fall["innings"].as_array().expect("a list"));
        assert_eq!(card.len(), fall.len());
        for (card, fall) in card.iter().zip(fall) {
            for member in ["number", "batting", "fall_of_wickets", "partnerships"] {
                assert_eq!(card[member], fall[member]);
            }
        }
    }
});

on_both_stores!(the_commentary_tells_every_event_in_a_line, |service| {
    let played = service.create(&table(1));
    played.begin();
    for dice in [&[2, 4][..], &[1, 2], &[3, 5, 3, 4, 2], &[2, 5]] {
        played.bowl(dice);
    }
    let commentary = played.get("/commentary").expect(200);
    let lines = commentary["lines"].as_array().expect("lines");
    let seqs: Vec<u64> = lines.iter().filter_map(|line| line["seq"].as_u64()).collect();
    assert_eq!(seqs, (1..=played.head().seq).collect::<Vec<u64>>());
    let text = |at: usize| lines[at]["text"].as_str().unwrap_or_default();
    let place = |at: usize| (lines[at]["innings"].as_u64(), lines[at]["ball"].as_str());
    assert!(text(4).contains("Verity to Abel") && text(4).contains("FOUR"), "{}", text(4));
    assert!(text(5).contains("wide"), "{}", text(5));
    assert!(text(6).contains("dropped by Rhodes"), "{}", text(6));
    assert!(text(7).contains("OUT") && text(7).contains("b Verity"), "{}", text(7));
    assert_eq!(
        [place(0), place(4), place(7)],
        [(None, None), (Some(1), Some("0.1")), (Some(1), Some("0.4"))]
    );
    let delivery = |at: usize| (&lines[at]["delivery"], &lines[at]["place"]);
    assert_eq!(delivery(0), (&Value::Null, &Value::Null));
    for (at, number) in [(4, 1), (5, 2), (6, 3), (7, 4)] {
        let text = format!("0.{number}");
        let place = json!({"innings": 1, "over": 1, "ball": number, "text": text});
        assert_eq!(delivery(at), (&json!(number), &place));
    }
    let told = |at: usize| {
        let score = &lines[at]["score"];
        (
            &lines[at]["cell"],
            &lines[at]["boundary"],
            &lines[at]["wicket"]["kind"],
            [&score["runs"], &score["wickets"]],
        )
    };
    let none = &Value::Null;
    assert_eq!(told(3), (none, none, none, [none, none]));
    assert_eq!(told(4), (&json!("4"), &json!(4), none, [&json!(4), &json!(0)]));
    assert_eq!(told(5), (&json!("wd"), none, none, [&json!(5), &json!(0)]));
    assert_eq!(told(7), (&json!("W"), none, &json!("bowled"), [&json!(5), &json!(1)]));
    let early = played.get("/commentary?at=6").expect(200);
    assert_eq!(early["lines"].as_array().map(Vec::as_slice), Some(&lines[..6]));
});

on_both_stores!(a_replay_stands_where_the_match_stood, |service| {
    let played = service.create(&table(1));
    let mut views = vec![played.view()];
    played.begin();
    for dice in [&[2, 4][..], &[2, 5], &[2, 3]] {
        played.bowl(dice);
        views.push(played.view());
    }
    for view in views {
        let replay = played.get(&format!("/replay?at={}", view["head"]["seq"])).expect(200);
        for member in ["score", "head", "status", "result"] {
            assert_eq!(replay[member], view[member]);
        }
        assert_eq!(replay["next"], step(&view["next"]));
        let commentary = played.get(&format!("/commentary?at={}", view["head"]["seq"])).expect(200);
        assert_eq!(replay["commentary"], commentary["lines"]);
    }
});
