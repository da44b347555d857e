//! The headers of the pages: what a page may load, and what it tells others.

/// What a page may load. All words not named here fall back to `default-src 'none'`.
pub const CONTENT_SECURITY_POLICY: &str = concat!(
    // Nothing, but for the kinds below.
    "default-src 'none'; ",
    // The modules of this service. No inline script, no eval.
    "script-src 'self'; ",
    // The sheets of this service. Sizes that change are custom properties, which scripts may set.
    "style-src 'self'; ",
    // The icon; a picture that the sheet holds itself.
    "img-src 'self' data:; ",
    // The API and the stream of this service, and its words.
    "connect-src 'self'; ",
    // A `base` element in a name could turn the relative paths elsewhere.
    "base-uri 'none'; ",
    // Forms are read by the page, and never sent by the browser.
    "form-action 'none'; ",
    // Nobody can lay a page of this service under their own buttons.
    "frame-ancestors 'none'; ",
    // Text becomes HTML only by the one policy of `html.js`, which takes the literals of templates.
    "require-trusted-types-for 'script'; trusted-types templates",
);

/// The address of a page is told to nobody: it names a match.
pub const REFERRER_POLICY: &str = "no-referrer";

/// The cache of an asset: its path changes with its content.
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The cache of a page. It opens again while the service is away, for a day: a browser takes no page from its
/// cache by `stale-while-revalidate`, and longer the page would stand in the way of what else comes to run at
/// the address. A page of another version loads itself anew. Only the browser that visited it keeps it.
pub const A_DAY: &str = "private, max-age=86400";
/// The cache of the page that says that nothing is there: it is fetched each time.
pub const REVALIDATED: &str = "no-cache";
