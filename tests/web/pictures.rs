//! Pictures of the screens, of matches as they are played, to be looked at. They go to `target/pictures`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use third_umpire_test_support::service::{Cup, Match, seeded_by_service, sha256, table, with};

use crate::balls::{ball_of, opens_as_scorer, played as over_played};
use crate::games::{appealed, board_game, won_by_the_last_ball};
use crate::phone::{Model, Phone};
use crate::righting::over_and_two_balls;
use crate::table::{Table, pad_of};

/// The models that are pictured, each in a folder of its own.
const MODELS: [(&str, Model); 12] = [
    ("phone", Model { ratio: 2, ..Model::PHONE }),
    ("phone-dark", Model { dark: true, ..Model::PHONE }),
    ("phone-small", Model { width: 320, height: 568, ..Model::PHONE }),
    ("phone-tall", Model { width: 390, height: 844, ..Model::PHONE }),
    ("zoomed", Model { width: 320, height: 256, ratio: 2, ..Model::PHONE }),
    ("phone-on-its-side", Model { width: 640, height: 360, ..Model::PHONE }),
    ("tablet", Model { width: 820, height: 1180, ..Model::PHONE }),
    ("tablet-dark", Model { width: 820, height: 1180, dark: true, ..Model::PHONE }),
    ("laptop", Model { width: 1280, height: 800, ..Model::PHONE }),
    ("laptop-dark", Model { width: 1280, height: 800, dark: true, ..Model::PHONE }),
    ("large", Model { width: 1920, height: 1080, ..Model::PHONE }),
    ("large-dark", Model { width: 1920, height: 1080, dark: true, ..Model::PHONE }),
];

/// Whether all is drawn that moves for a moment; a ring goes on for as long as a ball is held.
const STILL: &str = "return document.getAnimations().every(({playState, effect}) => \
    playState === 'finished' || effect.getComputedTiming().duration > 1000) && !document.querySelector('.pad .pressed')";

/// How the dice fall in a match that is begun for a picture.
const FALL: u64 = 4;

/// A side whose names stand from right to left.
const URDU: [&str; 11] = [
    "عمران خان",
    "وسیم اکرم",
    "جاوید میانداد",
    "حنیف محمد",
    "ظہیر عباس",
    "عبدالقادر",
    "سعید انور",
    "یونس خان",
    "مصباح الحق",
    "شاہد آفریدی",
    "سرفراز احمد",
];

/// A folder of pictures, made by one phone.
struct Album<'a> {
    phone: &'a Phone,
    folder: PathBuf,
    taken: usize,
}

impl Album<'_> {
    /// Takes a picture of the page as it is. The numbers keep the pictures in their order.
    fn takes(&mut self, name: &str) {
        self.taken += 1;
        self.phone.waits("the plates stand still", STILL);
        let png = self.phone.picture();
        assert!(png.starts_with(b"\x89PNG"), "{name} is a picture");
        let file = self.folder.join(format!("{:02}-{name}.png", self.taken));
        std::fs::write(file, png).expect("the folder is ours");
    }
}

/// Eleven names of sixty characters.
fn long_names() -> Vec<String> {
    let names = (1..=11)
        .map(|number| format!("Bartholomew Maximilian Featherstonehaugh-Cholmondeley {number:02} Jnr"));
    names.map(|name| name.chars().take(60).collect()).collect()
}

/// A match in its third over, whose dice fell so that wickets, boundaries and extras are among them.
fn in_its_third_over(service: &Table, request: &Value) -> Match {
    let played = service.begun(request);
    let mut cup = Cup::new(FALL);
    while played.view()["situation"]["over"]["number"] != 3 {
        played.throw(&mut cup);
    }
    for _ in 0..3 {
        played.throw(&mut cup);
    }
    played
}

/// The pictures of one model.
fn pictured(name: &str, model: Model) {
    let mut service = Table::laid();
    let Some(mut phone) = Phone::of(Model { whole: true, ..model }, &service.address()) else { return };
    phone.expected = vec!["404", "net::ERR_", "Failed to load resource", "Failed to fetch"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pictures").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is ours");
    let mut album = Album { phone: &phone, folder, taken: 0 };
    home_and_new(&mut album);
    pad_of_howzat(&mut album, &service);
    pad_of_other_games(&mut album, &service);
    names_and_extremes(&mut album, &service);
    watched(&mut album, &service);
    balls(&mut album, &service);
    missing_balls(&mut album, &service);
    reading(&mut album, &service);
    around_a_table(&mut album, &service);
    in_an_outage(&mut album, &mut service);
}

fn home_and_new(album: &mut Album) {
    let phone = album.phone;
    phone.opens("/");
    album.takes("home-empty");
    phone.opens("/new?game=howzat");
    album.takes("new");
    phone.taps("[data-side='home']");
    phone.types("#side-name", "Harbour Road");
    phone.types("#side-names", "Marsh\nOkoro\nLindt\nPatel\nFox\nBrody\nHale\nSato\nKral\nPenn\nRowe");
    album.takes("new-side");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-side='away']");
    phone.types("#side-names", "Voss\nQuinn\nvoss");
    album.takes("new-side-alike");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-action='start']");
    album.takes("new-refused");
    phone.taps("[data-side='away']");
    phone.types("#side-names", "\u{8}\u{8}\u{8}\u{8}Berg");
    phone.taps("dialog [data-action='confirm']");
    phone.taps("[data-action='start']");
    phone.opens("/new?game=cuberoots");
    album.takes("new-cuberoots");
    phone.taps("[data-side='home']");
    phone.run("document.querySelector('dialog .section')?.scrollIntoView()", vec![]);
    album.takes("new-kept-sides");
    phone.taps("dialog [data-action='edit']");
    album.takes("new-kept-side");
    phone.opens("/new?game=cricket-the-game");
    album.takes("new-board-game");
    phone.taps("[data-side='home']");
    album.takes("new-teams");
    phone.types("[data-player='1'] input", "Marsh");
    phone.run("document.querySelector('.players').scrollIntoView()", vec![]);
    album.takes("new-players");
}

fn pad_of_howzat(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let untossed = Match::create(service.client(), &table(10));
    phone.opens(&pad_of(&untossed));
    album.takes("toss");
    phone.taps("[data-action='way']");
    album.takes("toss-now");
    phone.taps("[data-action='undo']");
    phone.waits_ms(400);
    phone.taps("[data-choice='home']");
    album.takes("toss-won");
    let played = in_its_third_over(service, &table(10));
    phone.opens(&pad_of(&played));
    album.takes("pad-bowl-die");
    phone.rolls(2);
    album.takes("pad-strike-die");
    phone.rolls(5);
    album.takes("pad-fielder-die");
    phone.taps("[data-action='undo']");
    phone.waits_ms(400);
    phone.rolls(6);
    album.takes("pad-held");
    phone.waits_ms(4000);
    album.takes("pad-sent");
    phone.taps("[data-action='undo']");
    album.takes("pad-correct");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-action='more']");
    album.takes("pad-more");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-ball]");
    album.takes("pad-older-ball");
    phone.taps("dialog [data-action='close']");
    [2, 1].into_iter().for_each(|face| phone.rolls(face));
    phone.waits_ms(4000);
    album.takes("pad-over-ended");
    phone.taps("[data-cell='bowler']");
    album.takes("pad-bowlers");
    phone.opens(&pad_of(&appealed(service)));
    album.takes("pad-accept-or-review");
    phone.taps("[data-choice='1']");
    album.takes("pad-review-die");
    let seeded = service.begun(&seeded_by_service(2));
    seeded.ball();
    seeded.ball();
    phone.opens(&pad_of(&seeded));
    album.takes("pad-seeded");
    seeded.post("/autoplay", &json!({"until": "match"})).expect(201);
    phone.opens(&pad_of(&seeded));
    album.takes("pad-end");
}

fn pad_of_other_games(album: &mut Album, service: &Table) {
    let phone = album.phone;
    phone.opens(&pad_of(&service.begun(&with(table(3), "/game", json!("cuberoots")))));
    album.takes("cuberoots-bowler");
    phone.rolls(5);
    album.takes("cuberoots-batter");
    phone.taps("[data-action='undo']");
    phone.taps("[data-action='more']");
    phone.taps("[data-action='lay']");
    album.takes("cuberoots-cover");
    phone.taps("[data-action='uncover']");
    album.takes("cuberoots-order");
    let cards = board_game(service);
    phone.opens(&pad_of(&cards));
    phone.taps("[data-choice='pace']");
    album.takes("board-game-toss");
    cards.begin();
    phone.opens(&pad_of(&cards));
    album.takes("board-game-stroke");
    // In a short window the row of choices stands under More.
    if phone.run("return document.querySelector('.step-row').checkVisibility()", vec![]) == json!(true) {
        phone.taps(".step-row [data-action='ask:field']");
    } else {
        phone.taps("[data-action='more']");
        phone.taps("dialog [data-action='ask:field']");
    }
    album.takes("board-game-field");
    phone.taps("dialog [data-who]");
    album.takes("board-game-place");
    phone.taps("dialog [data-action='close']");
    phone.taps("[data-action='step']");
    album.takes("board-game-over-card");
    phone.taps("[data-action='more']");
    album.takes("board-game-more");
}

fn names_and_extremes(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let long = with(
        with(table(5), "/home/players", json!(long_names())),
        "/home/name",
        json!("The Worshipful Company of Tabletop Cricketers of Lower Ambleside"),
    );
    let long = in_its_third_over(service, &long);
    phone.opens(&pad_of(&long));
    album.takes("long-names");
    phone.taps("[data-action='more']");
    album.takes("long-names-more");
    let urdu = with(with(table(5), "/home/players", json!(URDU)), "/home/name", json!("لاہور"));
    let urdu = in_its_third_over(service, &urdu);
    phone.opens(&pad_of(&urdu));
    album.takes("urdu");
    phone.opens(&format!("/m/{}/card", urdu.id));
    album.takes("urdu-card");
    let wides = service.begun(&table(2));
    for _ in 0..11 {
        wides.bowl(&[1, 2]);
    }
    phone.opens(&pad_of(&wides));
    album.takes("eleven-wides");
    let collapse = service.begun(&table(10));
    let mut cup = Cup::new(11);
    for _ in 0..40 {
        if collapse.view()["status"] == "in_play" {
            collapse.throw(&mut cup);
        }
    }
    let balls = collapse.view()["situation"]["last"]["delivery"].clone();
    collapse
        .post("/corrections", &json!({"voids_from": balls, "reason": "a wrong die was typed"}))
        .expect(201);
    phone.opens(&pad_of(&collapse));
    album.takes("forty-balls-and-a-correction");
    phone.opens(&format!("/m/{}/card", collapse.id));
    album.takes("card");
    phone.opens(&format!("/m/{}/board", collapse.id));
    album.takes("board");
}

/// What those see who watch: a chase on the board, a wicket, the end; the card with its charts and dice, and
/// what is shared of it.
fn watched(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let board = |played: &Match| format!("/m/{}/board", played.id);
    let chase = service.begun(&table(10));
    let mut cup = Cup::new(FALL);
    while chase.view()["situation"]["innings"] != 2 || chase.view()["situation"]["over"]["number"] != 3 {
        chase.throw(&mut cup);
    }
    (0..3).for_each(|_| drop(chase.throw(&mut cup)));
    phone.opens(&board(&chase));
    phone.waits("the worm is there", "return document.querySelector('.chart svg') !== null");
    album.takes("board-chase");
    chase.bowl(&[2, 5]);
    phone.waits("the wicket is told", "return document.querySelector('.slide') !== null");
    album.takes("board-wicket");
    let over = won_by_the_last_ball(service);
    phone.opens(&board(&over));
    phone.waits("the throw is told", "return document.querySelector('.turn') !== null");
    album.takes("board-end");
    phone.opens(&format!("/m/{}/card", over.id));
    phone.waits("the dice are told", "return document.querySelector('.luck') !== null");
    for part in ["charts", "dice"] {
        let has_room = "return getComputedStyle(document.querySelector('.parts')).display === 'none'";
        if phone.run(has_room, vec![]) == json!(true) {
            phone.run(
                "document.querySelector(`.part[data-of='${arguments[0]}']`).scrollIntoView()",
                vec![json!(part)],
            );
        } else {
            phone.taps(&format!(".parts [data-part='{part}']"));
        }
        album.takes(&format!("card-{part}"));
    }
    phone.taps("[data-action='share']");
    album.takes("share");
    phone.taps("dialog [data-action='television']");
    album.takes("television");
}

/// The page of a ball, and how it is put right.
fn balls(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let played = over_played(service);
    opens_as_scorer(phone, &played, 2);
    album.takes("ball");
    phone.taps("[data-place='4']");
    album.takes("ball-faces");
    phone.taps("[data-die='1']");
    album.takes("ball-difference");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    album.takes("ball-put-right");
    for (part, name) in [("bowler", "ball-bowler"), ("striker", "ball-striker")] {
        phone.taps(&format!("[data-who='{part}']"));
        phone.waits("it is read", "return document.querySelector('#decided.strong') !== null");
        album.takes(name);
    }
    phone.taps("[data-action='take-back']");
    phone.reads(".sentence", "go, from");
    album.takes("ball-taken-back");
    phone.taps("[data-action='close']");
    phone.taps("[data-action='put-in']");
    phone.reads("#question", "Bowl die");
    album.takes("ball-missing");
    phone.taps("[data-die='2']");
    phone.taps("[data-die='4']");
    phone.reads(".sentence", "comes before");
    album.takes("ball-put-in");
    phone.taps("[data-action='close']");
    phone.taps("[data-action='take-out']");
    phone.reads(".sentence", "was never bowled");
    album.takes("ball-taken-out");
    phone.opens(&format!("/m/{}/card", played.id));
    phone.run("document.querySelector('.corrections').scrollIntoView()", vec![]);
    album.takes("card-corrected");
}

/// An innings that misses a ball after a correction, and a ball that nobody knows.
fn missing_balls(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let played = over_and_two_balls(service);
    opens_as_scorer(phone, &played, 2);
    let to_wide = || {
        let keys = ["[data-place='0']", "[data-die='1']", "[data-die='2']"];
        keys.iter().for_each(|key| phone.taps(key));
    };
    to_wide();
    phone.reads(".right", "A ball is missing");
    album.takes("ball-innings-goes-on");
    phone.taps("[data-nth='1']");
    phone.reads(".sentence", "becomes");
    album.takes("ball-innings-ended");
    phone.taps("[data-action='close']");
    to_wide();
    phone.taps("[data-nth='0']");
    phone.taps("[data-action='confirm']");
    phone.reads(".earlier", "Misread die");
    phone.opens(&ball_of(&played, 7));
    phone.reads("main", "Nobody knows");
    album.takes("ball-not-known");
}

fn reading(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let over = service.begun(&seeded_by_service(5));
    over.post("/autoplay", &json!({"until": "match"})).expect(201);
    phone.opens(&format!("/m/{}/card", over.id));
    album.takes("card-finished");
    phone.opens(&format!("/m/{}/board", over.id));
    album.takes("board-finished");
    phone.opens("/");
    album.takes("home");
    phone.taps("[data-action='hiding']");
    album.takes("home-hiding");
    phone.opens("/m/0190f3c0-0000-7000-8000-000000000000/board");
    album.takes("unknown-match");
}

/// How a match is shared and handed over, and what two phones with one right are told.
fn around_a_table(album: &mut Album, service: &Table) {
    let phone = album.phone;
    let played = in_its_third_over(service, &table(10));
    phone.opens(&format!("/m/{}/score#invite=tui_of_a_code", played.id));
    album.takes("hand-claim");
    phone.opens(&pad_of(&played));
    phone.taps("[data-action='more']");
    phone.taps("dialog [data-action='share']");
    album.takes("share");
    phone.taps("dialog [data-action='give']");
    phone.waits("the code is there", "return document.querySelector('[data-link=score]') !== null");
    let sees = |selector: &str| {
        phone.run("document.querySelector(arguments[0]).scrollIntoView()", vec![json!(selector)]);
    };
    sees("dialog [data-link=score]");
    album.takes("share-code");
    sees("dialog .writer");
    album.takes("share-writers");
    phone.taps("dialog [data-action='rename']");
    album.takes("share-renaming");
    phone.taps("dialog [data-action='close']");
    played.throw(&mut Cup::new(1));
    phone.waits("it is told", "return document.querySelector('[data-hint]')?.innerText.includes('Another')");
    album.takes("stranger");
    phone.taps("[data-action='heard']");
    phone.rolls(2);
    phone.rolls(2);
    played.bowl(&[2, 4]);
    phone.waits_ms(4000);
    phone.waits("it stops", "return document.querySelector('[data-action=theirs]') !== null");
    album.takes("two-books");
    phone.taps("[data-action='theirs']");
    phone.settles();
    let invite = "tui_of_a_code";
    played.posting("/tokens/scorer/invite", &json!({"invite_sha256": sha256(invite)})).send().expect(201);
    let claim = json!({"invite": invite, "token_sha256": sha256("tu_of_another_phone")});
    service.client().post(&played.path("/tokens/claim"), &claim).expect(201);
    phone.waits("it is told", "return document.querySelector('[data-action=back]') !== null");
    album.takes("hand-back");
}

/// What is watched, and how that looks once the service is gone.
fn in_an_outage(album: &mut Album, service: &mut Table) {
    let phone = album.phone;
    let played = in_its_third_over(service, &table(10));
    let of_match = |page: &str| format!("/m/{}/{page}", played.id);
    for (name, path) in [
        ("board", of_match("board")),
        ("card", of_match("card")),
        ("pad", of_match("score")),
        ("home", "/".to_owned()),
    ] {
        phone.opens(&path);
        phone.settles();
        album.takes(&format!("{name}-watched"));
        service.stops();
        let is_old = "moveClock(1000); return document.querySelector('.plates.stale') !== null";
        phone.waits("the score is old", is_old);
        phone.settles();
        album.takes(&format!("{name}-in-an-outage"));
        service.starts();
    }
}

#[test]
#[ignore = "makes pictures to be looked at, in a minute or two a model"]
fn every_screen_is_pictured() {
    let only = std::env::var("PICTURE_MODEL").ok();
    for (name, model) in
        MODELS.into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
    {
        pictured(name, model);
    }
}
