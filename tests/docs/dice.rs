//! The figures of docs/spec/dice-v1.md are those of the program.

use third_umpire::dice::{DICE_SPEC, Dice, Domain, Draw, SeededDice, Seeds, ServerSeed};

use crate::pages::Page;

fn draw(text: &str) -> Draw {
    let numbers =
        text.trim_matches(|letter| "()".contains(letter)).split_once(", ").expect("a domain, an ordinal");
    let domain = match numbers.0 {
        "1" => Domain::Toss,
        "2" => Domain::SetUp,
        "3" => Domain::Over,
        "4" => Domain::Ball,
        "5" => Domain::Review,
        other => panic!("no figure is of domain {other}"),
    };
    Draw { domain, ordinal: numbers.1.parse().expect("an ordinal") }
}

fn numbers(text: &str) -> Vec<u16> {
    text.split(' ').map(|number| number.parse().expect("a number")).collect()
}

fn written(numbers: impl IntoIterator<Item = u16>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// The cells of the rows of a text, without their backquotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
        Some(inner.split(" | ").map(|cell| cell.trim_matches('`').to_owned()).collect())
    };
    text.lines().filter_map(cells).collect()
}

/// Compares the tables of a part of the page with the program; gives how many draws there are.
fn compare(part: &str, server_seed: &ServerSeed, client_seeds: &[String]) -> usize {
    let seeds = Seeds::open(server_seed, client_seeds);
    let (mut draws, mut seen) = (0, Vec::new());
    for row in rows(part) {
        match row.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["commitment", hash] => {
                assert_eq!(*hash, server_seed.commitment());
                seen.push("commitment");
            }
            ["match_seed", hex] => {
                assert_eq!(*hex, seeds.match_seed);
                seen.push("match_seed");
            }
            [of, sides, values] if of.starts_with('(') => {
                let (sides, values) = (numbers(sides), numbers(values));
                let mut dice = SeededDice::new(&server_seed.match_seed(client_seeds));
                dice.begin(draw(of));
                let sides = sides.iter().cycle().take(values.len());
                assert_eq!(sides.map(|sides| dice.die(*sides)).collect::<Vec<_>>(), values, "{of}");
                draws += 1;
            }
            _ => {}
        }
    }
    assert_eq!(seen, ["commitment", "match_seed"]);
    draws
}

#[test]
fn the_figures_to_check_oneself_by_are_those_of_the_program() {
    let page = Page::read("docs/spec/dice-v1.md");
    assert_eq!(DICE_SPEC, 1);
    let text = page.text();
    let parts: Vec<&str> = text.split("A `server_seed` of").collect();
    let [_, zeros, counted] = parts.as_slice() else { panic!("the page has two seeds to check oneself by") };
    let zero_seed = ServerSeed::from_hex(&"0".repeat(64)).expect("a seed");
    assert_eq!(compare(zeros, &zero_seed, &[]), 6);
    let digits: String = (0..32).map(|byte| format!("{byte:02x}")).collect();
    let counted_seed = ServerSeed::from_hex(&digits).expect("a seed");
    assert_eq!(compare(counted, &counted_seed, &["1".repeat(64), "2".repeat(64)]), 1);

    let words = zeros.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut dice = SeededDice::new(&zero_seed.match_seed(&[]));
    dice.begin(Draw::ball(1));
    let long: Vec<u16> = (0..75).map(|_| dice.die(6)).collect();
    let second = format!(
        "61st to 75th six-sided dice of draw (4, 1) cross from the first block into the next: {}",
        written(long[60..].to_vec())
    );
    assert!(words.contains(&second), "{second}");
    let mut shuffled: Vec<u16> = (0..210).collect();
    dice.begin(Draw { domain: Domain::Over, ordinal: 131_075 });
    dice.shuffle(&mut shuffled);
    let shuffle = format!(
        "The numbers 0 to 209 shuffled by draw (3, 131075) begin with {}.",
        written(shuffled[..10].to_vec())
    );
    assert!(words.contains(&shuffle), "{shuffle}");
}
