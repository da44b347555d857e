//! What is asked for a ball before its dice: who comes in, bowl, stroke and attitude, the over card, skills
//! and field.

use serde_json::{Value, json};

use super::super::ball::{BallSituation, Chosen, Contest};
use super::super::edition::model::{Attitude, Duelist, EditionWord, Express, PlayerRole, Skill, Zone};
use super::super::named_card::NamedCard;
use super::super::progress::NextBall;
use super::super::rulings::*;
use super::super::squad::players;
use super::super::state::CricketTheGame;
use super::behind::BEHIND;
use super::board::{feeds, places, sector, zone_title};
use super::options::{attitudes, signed};
use super::over::filled_in;
use crate::rules::{Ask, AskKind, AskOption, Choices, Draft};
use crate::scorebook::{Player, Ruling, Rulings, Side};

/// The asks of the next ball of an over in progress.
pub struct BallAsks<'a> {
    situation: BallSituation<'a>,
    draft: &'a Draft<'a>,
    /// The choices that were made before the draft.
    chosen: Chosen,
}

impl<'a> BallAsks<'a> {
    /// The asks for the ball that has these choices so far, with those of the draft.
    pub fn of(state: &'a CricketTheGame, draft: &'a Draft<'a>, choices: &Choices) -> BallAsks<'a> {
        let situation = state.situation();
        let read = Chosen::read(&situation, choices);
        // The rest of a body that is refused has no meaning for what else is asked.
        let chosen = read.unwrap_or_else(|_| Chosen::by_default(&situation));
        BallAsks { situation, draft, chosen }
    }

    /// All choices before the dice, in the order in which they are made.
    pub fn before_dice(&self) -> Vec<Ask> {
        let mut asks = Vec::new();
        if self.situation.innings.awaits_batter() {
            asks.extend(self.next_batter());
        }
        let is_full = !self.situation.is_express;
        if is_full {
            asks.extend([self.bowl(), self.stroke(true), self.attitude()]);
        }
        if !self.situation.is_seeded && self.situation.over.next_ball == NextBall::WithCard {
            asks.push(self.over_card());
        }
        if is_full {
            let skills = |side: Duelist| self.skills(side, self.draft.at(&format!("skills.{}", side.word())));
            asks.extend(Duelist::ALL.iter().map(|(side, _)| skills(*side)));
            asks.push(self.field());
        }
        asks
    }

    /// The rulings behind a question, where anybody looks at them.
    fn behind(&self, name: &str) -> impl Iterator<Item = &'static Ruling> + use<> {
        self.draft.behind(BEHIND, name)
    }

    fn batting(&self) -> Side {
        self.situation.batters.side
    }

    /// The batter who comes in, and the attitude with which he begins.
    pub fn next_batter(&self) -> [Ask; 2] {
        let BallSituation { batters, innings, .. } = self.situation;
        let at_the_wicket = [innings.striker(), innings.non_striker()];
        let option = |player: Player| {
            let option = AskOption::named(batters.name(player));
            let why_not = match () {
                () if batters.dropped == Some(player) => "was dropped",
                () if at_the_wicket.contains(&Some(player)) => "is at the wicket",
                () if innings.has_come_in(player) => "is out",
                () => {
                    let member = batters.member(player);
                    let confidence = signed(member.confidence);
                    return option.text(format!("{}, confidence {confidence}", member.role.word()));
                }
            };
            option.refused(why_not, &BALL_NEXT_BATTER)
        };
        let batter = Ask::new(self.draft.at("next_batter"), AskKind::One, "Who comes in?")
            .of(self.draft.listed(players().map(option)))
            .under(self.behind("next_batter"))
            .by(self.batting());
        let batter = match self.situation.yet_to_bat().next() {
            Some(first) => batter.or_default(batters.name(first)),
            None => batter,
        };
        let attitude = Ask::new(self.draft.at("next_attitude"), AskKind::One, "How does he begin?");
        // A new batter who faces keeps the attitude that the ball names for him.
        let faces = innings.striker().is_none() && !self.situation.is_express;
        let named = self.draft.choices.get("attitude").and_then(Value::as_str).filter(|_| faces);
        let named = named.and_then(Attitude::of_word).unwrap_or(Attitude::Defensive);
        let attitude = attitude.of(self.draft.listed(attitudes())).under(self.behind("next_attitude"));
        [batter, attitude.by(self.batting()).or_default(named.word())]
    }

    /// The bowl, of the bowls of the style.
    pub fn bowl(&self) -> Ask {
        let bowls = self.situation.bowls();
        let option = |bowl: &super::super::edition::model::Bowl| {
            AskOption::new(bowl.id.as_str(), bowl.name.as_str()).text(feeds(bowl.feeds))
        };
        let ask = Ask::new(self.draft.at("bowl"), AskKind::One, "Bowl")
            .of(self.draft.listed(bowls.iter().map(option)))
            .under(self.behind("bowl"))
            .by(self.batting().other());
        let usual = Chosen::by_default(&self.situation).bowl.map_or(0, usize::from);
        match bowls.get(usual) {
            Some(bowl) => ask.or_default(bowl.id.as_str()),
            None => ask,
        }
    }

    /// The stroke, by zone. Its advantage follows from the bowl, which a batter must not see in secret play.
    pub fn stroke(&self, knows_bowl: bool) -> Ask {
        let option = |zone: Zone| {
            let option = AskOption::new(zone.word(), zone_title(zone));
            let option = AskOption { shape: Some(sector(zone)), ..option };
            match self.advantage(zone).filter(|_| knows_bowl) {
                None => option,
                Some(advantage) => {
                    let sentence = format!("{}, advantage {advantage}", zone_title(zone));
                    AskOption { sentence: Some(sentence), ..option.text(signed(advantage)) }
                }
            }
        };
        let ask = Ask::new(self.draft.at("stroke"), AskKind::One, "Stroke")
            .of(self.draft.listed(Zone::strokes().map(option)))
            .under(self.behind("stroke"))
            .by(self.batting());
        match Chosen::by_default(&self.situation).stroke {
            Some(usual) => ask.or_default(usual.word()),
            None => ask,
        }
    }

    /// The advantage of a stroke into this zone once it is revealed, before the cards.
    fn advantage(&self, stroke: Zone) -> Option<i8> {
        let chosen = Chosen { stroke: Some(stroke), ..self.chosen };
        let contest = Contest::of_ball(&self.situation, &chosen, chosen.facing(&self.situation)).ok()?;
        Some(contest.revealed_advantage(&mut Rulings::new()))
    }

    /// The attitude of the facing batter.
    pub fn attitude(&self) -> Ask {
        let arrival = self.chosen.next_batter.map_or(Attitude::Defensive, |(_, attitude)| attitude);
        Ask::new(self.draft.at("attitude"), AskKind::One, "Attitude")
            .of(self.draft.listed(attitudes()))
            .under(self.behind("attitude"))
            .by(self.batting())
            .by_player(self.situation.batters.name(self.chosen.facing(&self.situation)))
            .or_default(self.situation.default_attitude(arrival).word())
    }

    /// The over card that was turned at the table.
    fn over_card(&self) -> Ask {
        let over = self.situation.over;
        let option = |(place, card): (u8, &super::super::edition::model::OverCard)| {
            let option = AskOption::new(card.id(), card.name());
            let symbol = self.situation.is_express.then(|| express_words(card.express));
            let option = symbol.into_iter().fold(option, |option, symbol| option.text(symbol));
            match over.turned.iter().position(|turned| *turned == place) {
                None => option,
                Some(at) => {
                    let on = over.turned_on.get(at).copied().unwrap_or_default();
                    option.refused(format!("ball {on}, this over"), &BALL_OVER_CARD)
                }
            }
        };
        let title = if self.situation.is_express { "Express: which card?" } else { "Which over card?" };
        let ask = Ask::new(self.draft.at("over_card"), AskKind::One, title);
        let ask = ask.of(self.draft.listed((0u8..).zip(self.situation.deck()).map(option)));
        let name = if self.situation.is_express { "express_card" } else { "over_card" };
        filled_in(ask.under(self.behind(name)), self.draft.choices.get("over_card"))
    }

    /// The skills that a side plays, at this place of the body.
    pub fn skills(&self, side: Duelist, at: String) -> Ask {
        let striker = self.chosen.facing(&self.situation);
        let may_use = |skill: u8| self.situation.may_use(side, striker, skill, [0; 2]);
        let of_all = (0u8..).zip(self.situation.edition.skills_of(side));
        let option = |(place, skill): (u8, &Skill)| {
            let option = AskOption::new(skill.id(), skill.name());
            match () {
                () if skill.is_reroll() => option.refused("after the dice", &BALL_SKILL),
                () if may_use(place) => option,
                () => option.refused(self.why_not_use(side, striker, place), &BALL_SKILL),
            }
        };
        let free = of_all.clone().filter(|(place, skill)| !skill.is_reroll() && may_use(*place)).count();
        let most = match side {
            Duelist::Batter if !self.is_batter(striker) => free.min(1),
            Duelist::Batter | Duelist::Bowler => free,
        };
        let (title, by) = match side {
            Duelist::Bowler => ("Bowler\u{2019}s skills", self.batting().other()),
            Duelist::Batter => ("Batter\u{2019}s skills", self.batting()),
        };
        let ask = Ask::new(at, AskKind::Some, title).of(self.draft.listed(of_all.map(option)));
        ask.count(most as u8).under(self.behind("skills")).by(by).or_default(json!([]))
    }

    fn is_batter(&self, player: Player) -> bool {
        self.situation.batters.member(player).role == PlayerRole::Batter
    }

    fn why_not_use(&self, side: Duelist, striker: Player, skill: u8) -> &'static str {
        match side {
            Duelist::Bowler => "used, this over",
            Duelist::Batter if self.situation.batting.skills_used[striker.index()] & 1 << skill != 0 => {
                "used, this innings"
            }
            Duelist::Batter => "has used his one",
        }
    }

    /// The field, as it stands.
    pub fn field(&self) -> Ask {
        let ask = Ask::new(self.draft.at("field"), AskKind::Places, "The field");
        let ask = ask.under(self.behind("field")).by(self.batting().other()).optional();
        let BallSituation { limits, edition, .. } = self.situation;
        let places = |field| places(field, limits, &self.situation.token_names(), edition);
        let places = self.situation.field.and_then(|field| self.draft.placed(|| places(field)));
        Ask { places, ..ask }
    }
}

/// The symbol of an over card in express play, in words.
fn express_words(symbol: Express) -> &'static str {
    match symbol {
        Express::Dot => "dot",
        Express::One => "1 run",
        Express::Two => "2 runs",
        Express::Three => "3 runs",
        Express::Patience => "patience",
        Express::Threat => "threat",
        Express::Boundary => "boundary, d8",
    }
}
