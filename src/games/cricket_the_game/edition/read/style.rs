use super::effects::decided;
use super::value_at::ValueAt;
use crate::games::cricket_the_game::edition::model::{
    Attitude, Each, EditionWord, FieldingChance, StyleRules,
};
use crate::rules::ReviewCard;

/// The highest margin between two totals that a rule card may ask for.
const MOST_MARGIN: u8 = 20;
const MOST_REVIEWS: u8 = 8;

/// Reads the rule card of a style.
pub fn style_rules(spot: &ValueAt) -> Option<StyleRules> {
    let fields = spot.object(&["slips", "strike", "miss", "express_boundary"]);
    let slips = fields.read("slips", ValueAt::yes_or_no);
    let strike = fields.read("strike", strike);
    let miss = fields.read("miss", miss);
    let express_boundary = fields.read("express_boundary", |spot| spot.exactly("outcomes", decided));
    let (may_add_from, must_deduct_below) = strike?;
    let (miss_threshold, miss_chance) = miss?;
    Some(StyleRules {
        slips: slips?,
        may_add_from,
        must_deduct_below,
        miss_threshold,
        miss_chance,
        express_boundary: express_boundary?,
    })
}

fn strike(spot: &ValueAt) -> Option<(Option<u8>, Option<u8>)> {
    let fields = spot.object_with(&[], &["may_add_from", "must_deduct_below"]);
    let may_add_from = fields.read_if("may_add_from", margin);
    let must_deduct_below = fields.read_if("must_deduct_below", margin);
    Some((may_add_from?, must_deduct_below?))
}

fn margin(spot: &ValueAt) -> Option<u8> {
    spot.count(1..=MOST_MARGIN)
}

fn miss(spot: &ValueAt) -> Option<(u8, Each<FieldingChance, 2>)> {
    let fields = spot.object(&["threshold", "aggressive", "defensive"]);
    let threshold = fields.read("threshold", margin);
    let aggressive = fields.read(Attitude::Aggressive.word(), chance);
    let defensive = fields.read(Attitude::Defensive.word(), chance);
    Some((threshold?, Each([aggressive?, defensive?])))
}

fn chance(spot: &ValueAt) -> Option<FieldingChance> {
    let fields = spot.object(&["die", "at_least"]);
    let die = fields.read("die", ValueAt::die);
    let at_least = fields.read("at_least", |spot| spot.count(1..=die.unwrap_or(8)));
    Some(FieldingChance { die: die?, at_least: at_least? })
}

/// Reads the review card.
pub fn review_card(spot: &ValueAt) -> Option<ReviewCard> {
    let fields = spot.object(&["reviews", "faces"]);
    let reviews = fields.read("reviews", |spot| spot.count(1..=MOST_REVIEWS));
    let faces = fields.read("faces", |spot| spot.exactly("faces", ValueAt::word));
    Some(ReviewCard { reviews: reviews?, faces: faces? })
}
