//! The DevTools of a page of Chromium, on a line of their own. A script that goes by the driver takes ten
//! times as long, for it and for the browser.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use crate::hand::PATIENCE;

/// A command of the protocol, with its parameters.
pub type Command<'a> = (&'a str, Value);

/// How many bytes are read at once. So many are set to zero each time, which takes long where nothing is
/// optimised.
const READ_AT_ONCE: usize = 4096;

/// A line to the DevTools of one page.
pub struct DevTools {
    socket: RefCell<WebSocket<TcpStream>>,
    /// The number of the last command.
    last: Cell<u64>,
}

/// Why a script or a command has no result.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// What the script threw, with where.
    Threw(String),
    /// The command is refused, or the page has gone.
    Unanswered(String),
}

impl Failure {
    pub fn unanswered(error: impl Display) -> Failure {
        Failure::Unanswered(error.to_string())
    }
}

impl DevTools {
    /// The page in this tab of the browser whose DevTools are at this address.
    pub fn of(address: &str, tab: &str) -> Option<DevTools> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let config = WebSocketConfig::default().read_buffer_size(READ_AT_ONCE);
        let page = format!("ws://{address}/devtools/page/{tab}");
        let (socket, _) = tungstenite::client::client_with_config(page, stream, Some(config)).ok()?;
        Some(DevTools { socket: RefCell::new(socket), last: Cell::new(0) })
    }

    /// Sends commands one behind the other, and waits until all are answered. Returns their results in their
    /// order.
    pub fn does(&self, commands: &[Command]) -> Result<Vec<Value>, Failure> {
        let mut socket = self.socket.borrow_mut();
        let first = self.last.get() + 1;
        for (command, parameters) in commands {
            self.last.set(self.last.get() + 1);
            let text = json!({"id": self.last.get(), "method": command, "params": parameters}).to_string();
            socket.send(Message::text(text)).map_err(Failure::unanswered)?;
        }
        let mut results = vec![Value::Null; commands.len()];
        let mut open = commands.len();
        while open > 0 {
            let message = socket.read().map_err(Failure::unanswered)?;
            let Message::Text(text) = message else { continue };
            let mut message: Value = serde_json::from_str(&text).expect("the protocol is JSON");
            // What has no number is an event.
            let place = message["id"].as_u64().and_then(|id| id.checked_sub(first));
            if let Some(result) = place.and_then(|place| results.get_mut(usize::try_from(place).ok()?)) {
                if let Some(error) = message.get("error") {
                    return Err(Failure::unanswered(error));
                }
                *result = message["result"].take();
                open -= 1;
            }
        }
        Ok(results)
    }

    /// Runs an expression, and waits for what it promises.
    pub fn runs(&self, expression: &str) -> Result<Value, Failure> {
        let parameters = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
        });
        let mut result = self.does(&[("Runtime.evaluate", parameters)])?.remove(0);
        match result.get("exceptionDetails") {
            None => Ok(result["result"]["value"].take()),
            Some(thrown) => Err(Failure::Threw(thrown["exception"]["description"].to_string())),
        }
    }
}
