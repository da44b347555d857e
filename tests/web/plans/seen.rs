//! What a page shows, and what the browser keeps.

use serde_json::Value;

/// A ball, or another request of play, that a phone keeps until it is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub id: String,
    /// The idempotency key of its last request, by which its answer is told.
    pub key: String,
    /// What is asked for: `balls`.
    pub path: String,
    pub body: Value,
    pub state: String,
    pub title: String,
    /// What was answered on the page, in order.
    pub answers: Vec<Value>,
    /// The dice and numbers of the ball, as the page shows them: a face is what is printed on it.
    pub faces: Vec<u8>,
}

impl Kept {
    fn of(entry: &Value) -> Option<Kept> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        // An entry whose requests are all answered ends with the next transaction.
        let last = entry["steps"].as_array()?.last()?;
        let path = text(&last["path"]).splitn(5, '/').nth(4)?.to_owned();
        Some(Kept {
            id: text(&entry["id"]),
            key: text(&last["key"]),
            path,
            body: last["body"].clone(),
            state: text(&entry["state"]),
            title: text(&entry["title"]),
            answers: answers(&entry["draft"]),
            faces: shown(&entry["draft"]),
        })
    }
}

/// The values that were answered in a draft.
fn answers(draft: &Value) -> Vec<Value> {
    draft["answers"].as_array().into_iter().flatten().map(|answer| answer["value"].clone()).collect()
}

/// The faces of a draft, but for those whose print is no number.
fn shown(draft: &Value) -> Vec<u8> {
    let answers = draft["answers"].as_array().into_iter().flatten();
    let shown = |answer: &Value| match answer["option"]["face"].as_str() {
        Some(printed) => printed.parse().ok(),
        None => face(&answer["value"]),
    };
    answers.filter_map(shown).collect()
}

fn face(value: &Value) -> Option<u8> {
    value.as_u64().and_then(|face| u8::try_from(face).ok())
}

fn faces(list: &Value) -> Vec<u8> {
    list.as_array().into_iter().flatten().filter_map(face).collect()
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A look at a page.
#[derive(Debug, Clone)]
pub struct Seen {
    pub is_ours: bool,
    pub is_settled: bool,
    /// Whether a ball stands there that Undo takes back without a trace.
    pub is_held: bool,
    /// The dice that are shown: those of the ball that is typed, or of the one that is held.
    pub dice: Vec<u8>,
    pub keys: Vec<u8>,
    pub ways: Vec<String>,
    pub actions: Vec<String>,
    pub sync: String,
    /// What stands where the thumb is.
    pub asks: String,
    pub score: String,
    pub said: Option<String>,
    pub address: String,
    /// The link of another scorer.
    pub link: Option<String>,
    /// What is kept, the oldest first; `None` where the store is not there.
    pub kept: Option<Vec<Kept>>,
    /// What was answered of the ball that is typed, as it is kept.
    pub typed: Vec<Value>,
    /// Whether a request was picked for what is typed.
    pub is_typing: bool,
    keys_kept: Value,
}

impl Seen {
    pub fn of(told: &Value) -> Seen {
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let some = |name: &str| told[name].as_str().map(str::to_owned);
        let stored = &told["stored"];
        let draft = &stored["drafts"][0];
        let kept = stored["entries"].as_array().map(|entries| {
            let mut entries: Vec<&Value> = entries.iter().collect();
            entries.sort_by_key(|entry| entry["n"].as_u64());
            entries.into_iter().filter_map(Kept::of).collect()
        });
        Seen {
            is_ours: told["isOurs"] == true,
            is_settled: told["settled"] == true,
            is_held: told["solid"] == true,
            dice: faces(&told["dice"]),
            keys: faces(&told["keys"]),
            ways: words(&told["ways"]),
            actions: words(&told["actions"]),
            sync: text("sync"),
            asks: text("asks"),
            score: text("score"),
            said: some("said"),
            address: text("address"),
            link: some("link"),
            kept,
            typed: answers(draft),
            is_typing: draft["request"].is_object(),
            keys_kept: stored["keys"].clone(),
        }
    }

    pub fn offers(&self, action: &str) -> bool {
        self.actions.iter().any(|one| one == action)
    }

    /// Whether the pad asks for something that a scorer answers.
    pub fn may_score(&self) -> bool {
        !self.keys.is_empty() || !self.ways.is_empty()
    }

    pub fn is_stopped(&self) -> bool {
        self.sync == "stopped"
    }

    pub fn kept(&self) -> &[Kept] {
        self.kept.as_deref().unwrap_or_default()
    }

    /// The entry that is held.
    pub fn held(&self) -> Option<&Kept> {
        self.kept().iter().find(|kept| kept.state == "held")
    }

    /// Whether nothing is kept, and nothing is typed.
    pub fn rests(&self) -> bool {
        self.is_settled
            && self.kept.as_ref().is_some_and(Vec::is_empty)
            && self.typed.is_empty()
            && !self.is_typing
    }

    /// The tokens and invites that the browser keeps.
    pub fn secrets(&self) -> Vec<String> {
        let mut found = Vec::new();
        for key in self.keys_kept.as_array().into_iter().flatten() {
            let own = ["scorer", "untried", "invite", "replaced"].map(|name| &key[name]);
            let others = key["others"].as_object().into_iter().flat_map(|others| others.values());
            let all = own.into_iter().chain([&key["made"]["token"]]).chain(others);
            found.extend(all.filter_map(Value::as_str).map(str::to_owned));
        }
        found
    }

    /// What is kept of the scorer's token.
    pub fn scorer(&self) -> Option<&str> {
        self.keys_kept[0]["scorer"].as_str()
    }

    /// What is seen, in a line of a trace: never a token.
    pub fn words(&self) -> String {
        let names = ["scorer", "untried", "invite", "replaced", "made"];
        let has: Vec<&str> = names.into_iter().filter(|name| !self.keys_kept[0][name].is_null()).collect();
        let kept: Vec<String> =
            self.kept().iter().map(|kept| format!("{} {}", kept.state, kept.body)).collect();
        let Seen { sync, dice, keys, ways, actions, typed, asks, score, said, .. } = self;
        let settled = if self.is_settled { "settled" } else { "unsettled" };
        format!(
            "{sync} {settled} {score:?} asks {asks:?} said {said:?} dice {dice:?} held {} keys {keys:?} {ways:?} \
             {actions:?} kept {kept:?} typed {typed:?} has {has:?}",
            self.is_held
        )
    }
}
