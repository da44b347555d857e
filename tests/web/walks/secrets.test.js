// What a page makes for itself, since plain http has no `crypto.subtle`: hashes, ids, tokens.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Browser } from "./browser.js";

/** The modules of a page. @param {string} name */
const module = (name) => new Browser(1).opens().modules[name];

test("SHA-256 agrees with the vectors of FIPS 180-4", () => {
  const { sha256 } = module("sha256.js");
  const vectors = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ["a".repeat(1_000_000)]: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  };
  for (const [text, hash] of Object.entries(vectors)) assert.equal(sha256(text), hash);
});

test("SHA-256 agrees with another program at every length of two blocks", () => {
  const { sha256 } = module("sha256.js");
  const text = "aé€😀".repeat(60);
  for (let length = 0; length <= 140; length += 1) {
    const some = text.slice(0, length);
    const bytes = new TextEncoder().encode(some);
    assert.equal(sha256(some), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});

test("the id of a match is a UUID of version 7 with its time", () => {
  const { freshUuid } = module("creating.js");
  const now = Date.UTC(2026, 10, 25);
  const id = freshUuid(now);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(parseInt(id.replace("-", "").slice(0, 12), 16), now);
  assert.notEqual(freshUuid(now), id);
});
