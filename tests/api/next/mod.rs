//! What a screen needs: the requests that answer the next step, and previews of their bodies.

pub mod played;
mod previews;
mod requests;
