//! The DevTools of a page of Chromium, on a line of their own. A script that goes by the driver takes ten
//! times as long, for it and for the browser.

use std::cell::{Cell, RefCell};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A command of the protocol, with its parameters.
pub type Command<'a> = (&'a str, Value);

/// A line to the DevTools of one page.
pub struct DevTools {
    socket: RefCell<WebSocket<TcpStream>>,
    /// The number of the last command.
    last: Cell<u64>,
}

/// What became of a script.
pub enum Ran {
    Answered(Value),
    /// What the script threw, with where.
    Threw(String),
    /// The page went away meanwhile.
    Gone,
}

impl DevTools {
    /// The page in this tab of the browser whose DevTools are at this address.
    pub fn of(address: &str, tab: &str) -> Option<DevTools> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let (socket, _) = tungstenite::client(format!("ws://{address}/devtools/page/{tab}"), stream).ok()?;
        Some(DevTools { socket: RefCell::new(socket), last: Cell::new(0) })
    }

    /// Sends commands one behind the other, and waits until all are answered. Returns the answers in their
    /// order, or `None` where the page or its browser is gone.
    pub fn does(&self, commands: &[Command]) -> Option<Vec<Value>> {
        let mut socket = self.socket.borrow_mut();
        let first = self.last.get() + 1;
        for (command, parameters) in commands {
            self.last.set(self.last.get() + 1);
            let text = json!({"id": self.last.get(), "method": command, "params": parameters}).to_string();
            socket.send(Message::text(text)).ok()?;
        }
        let mut answers = vec![Value::Null; commands.len()];
        let mut open = commands.len();
        while open > 0 {
            let Message::Text(text) = socket.read().ok()? else { continue };
            let message: Value = serde_json::from_str(&text).expect("the protocol is JSON");
            // What has no number is an event.
            let place = message["id"].as_u64().and_then(|id| id.checked_sub(first));
            if let Some(answer) = place.and_then(|place| answers.get_mut(usize::try_from(place).ok()?)) {
                *answer = message;
                open -= 1;
            }
        }
        Some(answers)
    }

    /// Runs an expression, and waits for what it promises.
    pub fn runs(&self, expression: &str) -> Ran {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        let answers = self.does(&[("Runtime.evaluate", parameters)]);
        let Some(result) = answers.as_ref().and_then(|answers| answers[0].get("result")) else {
            return Ran::Gone;
        };
        match result.get("exceptionDetails") {
            None => Ran::Answered(result["result"]["value"].clone()),
            Some(thrown) => Ran::Threw(thrown["exception"]["description"].to_string()),
        }
    }
}
