//! `/v1/codes`

use serde_json::{Value, json};
use third_umpire_test_support::on_both_stores;
use third_umpire_test_support::service::{Answer, Client};

const SECRET: &str = "tu_0123456789abcdef0123456789abcdef";

fn draw(client: &Client, body: &Value) -> Answer {
    client.post("/v1/codes", body)
}

on_both_stores!(a_link_is_drawn_as_a_picture_that_nobody_keeps, |service| {
    let link = format!("http://192.0.2.7:8080/#key={SECRET}");
    let drawn = draw(service.client(), &json!({"text": link}));
    drawn.has_status(200);
    assert_eq!((drawn.essence(), drawn.header("cache-control")), ("image/svg+xml", "no-store"));
    assert_eq!(drawn.header("content-encoding"), "", "its size would tell of the secret in it");
    let picture = drawn.text();
    assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "), "{picture}");
    assert!(picture.ends_with("</svg>") && !picture.contains(SECRET), "{picture}");
    let other = draw(service.client(), &json!({"text": "http://192.0.2.7:8080/"}));
    assert_ne!(other.text(), picture);
    assert_eq!(draw(service.client(), &json!({"text": link})).text(), picture);
});

on_both_stores!(a_code_has_1_to_1000_bytes, |service| {
    draw(service.client(), &json!({"text": "x".repeat(1_000)})).has_status(200);
    for length in [0, 1_001, 10_000] {
        let refused = draw(service.client(), &json!({"text": "x".repeat(length)}));
        let refusal = refused.refused(422, "illegal-input").at("body.text");
        refusal.says(&["1 to 1000 bytes", &format!("not {length}")]);
    }
    draw(service.client(), &json!({"text": "x".repeat(1 << 16)})).refused(413, "body-too-large");
});

on_both_stores!(no_refusal_of_a_code_repeats_its_text, |service| {
    let long = SECRET.repeat(40);
    for body in [
        json!({}),
        json!({"text": 5}),
        json!({"text": null}),
        json!({"text": [SECRET]}),
        json!({"text": {"link": SECRET}}),
        json!({"text": long}),
        json!({"text": SECRET, "size": 5}),
        json!({"link": SECRET}),
        json!(SECRET),
    ] {
        let refused = draw(service.client(), &body);
        assert!([400, 422].contains(&refused.status), "{} {body}", refused.status);
        assert!(!refused.text().contains(SECRET), "{}", refused.text());
    }
    let broken = service.client().request("POST", "/v1/codes").raw("application/json", SECRET);
    let broken = broken.send();
    broken.refused(400, "malformed-json");
    assert!(!broken.text().contains(SECRET), "{}", broken.text());
});
