//! Log files that bring their edition, and files without it.

use serde_json::{Value, json};

use super::{begun, house_edition};
use third_umpire_test_support::on_own_stores;
use third_umpire_test_support::service::{Answer, Client, Deployment, Match, canonical, table, tag_of, with};

fn audit(client: &Client, log: &str) -> Answer {
    client.request("POST", "/v1/audits").raw("application/x-ndjson", log).send()
}

/// The line of a log that has its edition.
fn line(edition: &Value) -> String {
    canonical(&json!({"edition": edition})) + "\n"
}

/// Audits a log by a service that does not have the match.
fn audited_elsewhere(deployment: &Deployment, log: &str, judge: impl FnOnce(Answer)) {
    Deployment::in_process(deployment.database().engine, |elsewhere| judge(audit(elsewhere.client(), log)));
}

on_own_stores!(a_log_file_can_bring_its_edition, |deployment| {
    let (played, edition, _) = begun(deployment.client());
    let (bare, with_it) = (played.get("/log"), played.get("/log?with=edition"));
    let head = played.head().hash;
    assert_eq!(
        (bare.tag(), with_it.tag()),
        (tag_of(&head).as_str(), format!("{}-edition", tag_of(&head)).as_str())
    );
    assert_eq!(with_it.text(), line(&edition) + bare.text());
    let known = format!("\"{}\"", with_it.tag());
    let request = deployment.client().request("GET", &played.path("/log?with=edition"));
    request.header("If-None-Match", &known).send().has_status(304);
    played.get("/log?with=dice").refused(400, "invalid-parameter");
    let howzat = Match::create(deployment.client(), &table(1));
    assert_eq!(howzat.get("/log?with=edition").text(), howzat.get("/log").text());
});

on_own_stores!(it_is_then_audited_where_nobody_has_the_edition, |deployment| {
    let (played, ..) = begun(deployment.client());
    let log = played.get("/log?with=edition").text().to_owned();
    audited_elsewhere(deployment, &log, |answer| {
        let report = answer.expect(200);
        assert_eq!(report["verdict"], "clean", "{report}");
        assert_eq!(report["events"], log.lines().count() - 1);
    });
    let bare = played.get("/log").text().to_owned();
    assert_eq!(
        audit(deployment.client(), &bare).expect(200)["verdict"],
        "clean",
        "the service has the edition"
    );
    assert_eq!(audit(deployment.serve().client(), &bare).expect(200)["verdict"], "clean", "and in the store");
    audited_elsewhere(deployment, &bare, |answer| {
        let refused = answer.refused(422, "not-a-match-log").at("body.line[1]");
        refused.says(&["is not known here", "first line"]);
    });
});

on_own_stores!(an_edition_that_is_not_the_matchs_diverges, |deployment| {
    let (played, edition, sha256) = begun(deployment.client());
    let bare = played.get("/log").text().to_owned();
    let changed = with(edition, "/teams/0/players/0/name", json!("Somebody"));
    for other in [changed, house_edition(deployment.client())] {
        let report = audit(deployment.client(), &(line(&other) + &bare)).expect(200);
        assert_eq!((&report["verdict"], &report["divergence"]["seq"]), (&json!("diverges"), &json!(1)));
        let finding = &report["divergence"]["findings"][0];
        assert_eq!(
            (&finding["check"], &finding["differences"][0]["recorded"]),
            (&json!("data"), &json!(sha256))
        );
    }
    let howzat = Match::create(deployment.client(), &table(1));
    let log = line(&house_edition(deployment.client())) + howzat.get("/log").text();
    let report = audit(deployment.client(), &log).expect(200);
    assert_eq!(report["verdict"], "diverges");
    assert!(report["divergence"]["findings"][0].to_string().contains("played without one"), "{report}");
});

on_own_stores!(a_line_without_an_edition_is_refused_by_number, |deployment| {
    let (played, edition, _) = begun(deployment.client());
    let bare = played.get("/log").text().to_owned();
    let refused = |log: String, at: &str, message: &str| {
        audit(deployment.client(), &log).refused(422, "not-a-match-log").at(at).says(&[message]);
    };
    let text = canonical(&edition);
    let first = "body.line[1]";
    refused(format!("{{\"edition\": {text}}}\n{bare}"), first, "not in canonical form");
    let (id, rest) = ("\"id\":\"club\",", text.replacen("\"id\":\"club\",", "", 1));
    refused(format!("{{\"edition\":{{{id}{}}}\n{bare}", &rest[1..]), first, "not in canonical form");
    refused(format!("{{\"edition\":{text},\"extra\":1}}\n{bare}"), first, "more than an edition");
    refused(format!("{{\"edition\":{text}\n{bare}"), first, "is not JSON");
    refused(format!("{{\"edition\":{}\n{bare}", "[".repeat(100_000)), first, "deeper than 127 levels");
    refused(
        format!("{{\"edition\":\"{}\"}}\n{bare}", "x".repeat(2 << 20)),
        first,
        "longer than 1048576 bytes",
    );
    let bad = with(edition.clone(), "/over_decks/pace/3/effects", json!([{"then": {"explode": 1}}]));
    refused(line(&bad) + &bare, first, "over_decks.pace[3].effects[0].then");
    refused(line(&edition) + &line(&edition) + &bare, "body.line[2]", "on the first line of a log");
    refused(bare + &line(&edition), &format!("body.line[{}]", played.head().seq + 1), "on the first line");
    refused(line(&edition), "body.line[2]", "no event");
});
