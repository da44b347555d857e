//! The scorebook that every game uses.

use third_umpire::scorebook::{Delivery, Extras, Innings, Player, Rulings};

#[test]
fn an_over_of_seventy_thousand_wides_is_counted_to_its_end() {
    let wide = Delivery {
        striker: Player(0),
        non_striker: Player(1),
        bowler: Player(10),
        runs: 0,
        extras: Extras { wides: 1, ..Extras::default() },
        legal: false,
        boundary: None,
        dismissal: None,
        rulings: Rulings::new(),
        detail: (),
    };
    let mut innings = Innings::default();
    innings.open(Player(0), Player(1));
    innings.begin_over(Player(10));
    (0..70_000).for_each(|_| innings.count(&wide));
    assert_eq!((innings.runs, u64::from(innings.ball_number())), (70_000, 70_001));
}
