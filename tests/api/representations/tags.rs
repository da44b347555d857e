//! Entity tags: one for each representation, and each names the same head.

use serde_json::json;
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Match, table};

use super::{LARGE, whole_match};

fn get(played: &Match, rest: &str, codings: &str, known: &str) -> Answer {
    let request = played.client.request("GET", &played.path(rest)).header("Accept-Encoding", codings);
    request.header("If-None-Match", known).unlisted().send()
}

on_both_stores!(each_representation_has_a_tag_of_its_own, |service| {
    let played = whole_match(service);
    for rest in LARGE {
        let [plain, gzip, br] = ["", "gzip", "br"].map(|codings| get(&played, rest, codings, ""));
        assert_eq!(gzip.tag(), format!("{}-gz", plain.tag()), "{rest}");
        assert_eq!(br.tag(), format!("{}-br", plain.tag()), "{rest}");
    }
});

on_both_stores!(a_client_is_told_304_for_each_representation_that_it_can_read, |service| {
    let played = whole_match(service);
    for rest in LARGE {
        let tag = get(&played, rest, "", "").tag().to_owned();
        let (plain, gz, br) = (format!("\"{tag}\""), format!("\"{tag}-gz\""), format!("\"{tag}-br\""));
        for (codings, known, matched) in [
            ("", &*plain, &plain),
            ("gzip", &gz, &gz),
            ("gzip, br", &gz, &gz),
            ("br", &br, &br),
            ("br", &plain, &plain),
            ("gzip, br", &format!("\"x\", W/{br}"), &br),
            ("gzip", &format!("{br}, {gz}"), &gz),
            ("gzip", "*", &plain),
            ("gzip", &gz.to_uppercase(), &gz),
        ] {
            let unchanged = get(&played, rest, codings, known);
            assert_eq!(unchanged.status, 304, "{rest} {codings} {known}");
            assert_eq!((unchanged.header("etag"), unchanged.bytes_sent), (&**matched, 0), "{rest} {codings}");
            assert_eq!(unchanged.header("content-encoding"), "", "{rest} {codings}");
        }
        for (codings, known) in
            [("", &*gz), ("gzip", &br), ("gzip;q=0", &gz), ("br", "\"x-br\""), ("br", &tag)]
        {
            assert_eq!(get(&played, rest, codings, known).status, 200, "{rest} {codings} {known}");
        }
    }
});

on_both_stores!(a_ball_is_appended_to_the_head_that_any_tag_names, |service| {
    let played = service.create(&table(1));
    played.begin();
    for codings in ["", "gzip", "br"] {
        let stale = get(&played, "", codings, "").header("etag").to_owned();
        let ball = || played.posting("/balls", &json!({"dice": [2, 3]})).header("If-Match", &stale);
        ball().send().expect(201);
        service.untouched_by(ball()).refused(412, "stale-head");
    }
});
