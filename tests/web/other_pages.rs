//! A page of another origin, such as the overlay of a broadcast: it reads the score, and writes nothing.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::json;
use third_umpire_test_support::service::table;

use crate::phone::Phone;
use crate::table::{Table, balls_of};

/// What the page tries; each attempt comes to a value or to the words of its error.
const ATTEMPTS: &str = "
  const [service, id, token] = arguments;
  const of = (rest) => `${service}/v1/matches/${id}${rest}`;
  const asks = (rest, more) => fetch(of(rest), more).then(async (answer) => ({
    status: answer.status, tag: answer.headers.get('etag'), body: await answer.text(),
  }), String);
  const follows = () => new Promise((done) => {
    const stream = new EventSource(of('/events/stream'));
    stream.onmessage = ({ data }) => { stream.close(); done(JSON.parse(data).kind); };
    stream.onerror = () => done('no stream');
  });
  const json = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const ball = JSON.stringify({ dice: [2, 3] });
  return (async () => {
    const card = await asks('/scorecard');
    return {
      card,
      again: await asks('/scorecard', { headers: { 'If-None-Match': card.tag }, cache: 'no-store' }),
      missing: await asks('/events/99'),
      stream: await follows(),
      ball: await asks('/balls', { method: 'POST', headers: json, body: ball }),
      plain: await asks('/balls', { method: 'POST', body: ball }),
      token: await asks('', { headers: { Authorization: json.Authorization } }),
    };
  })();";

/// The origin of a page that is empty.
fn elsewhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut browser in listener.incoming().flatten() {
            let _ = browser.read(&mut [0; 4096]);
            let page = "<!doctype html><title>Overlay</title>";
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let _ = write!(browser, "{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len());
        }
    });
    origin
}

#[test]
fn a_page_of_another_origin_reads_the_score_and_writes_nothing() {
    let service = Table::laid();
    let played = service.begun(&table(1));
    played.post("/balls", &json!({"dice": [2, 4]})).expect(201);
    let Some(mut phone) = Phone::at(&elsewhere()) else { return };
    phone.expected = vec!["CORS policy", "net::ERR_FAILED", "status of 404", "status of 403"];
    phone.goes_to("/");
    let arguments = vec![json!(service.loopback()), json!(played.id), json!(played.token)];
    let came_to = phone.run(ATTEMPTS, arguments);
    assert_eq!(came_to["card"]["status"], 200, "{came_to}");
    assert!(came_to["card"]["body"].as_str().is_some_and(|body| body.contains("\"runs\":4")), "{came_to}");
    assert_eq!([&came_to["again"]["status"], &came_to["missing"]["status"]], [304, 404], "{came_to}");
    assert_eq!(came_to["stream"], "match_created", "{came_to}");
    for refused in ["ball", "plain", "token"] {
        assert!(
            came_to[refused].as_str().is_some_and(|error| error.contains("Failed to fetch")),
            "{came_to}"
        );
    }
    assert_eq!(balls_of(&played), 1);
}
