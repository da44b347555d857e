//! The text of an answer, and where it was made. The workers answer the requests of everybody: a large text
//! that one of them made would hold up all others, so it is made on a thread of its own.

use actix_web::web::Bytes;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::json_text::{json_text, json_text_up_to};
use crate::commands::{Problem, ProblemType};
use crate::metrics::MadeOn;
use crate::service::{RenderedPage, on_own_thread};

/// The most bytes of a text that a worker makes.
pub const LARGE: usize = 64 << 10;

/// The text of an answer.
pub struct AnswerText {
    /// The text.
    pub bytes: Bytes,
    /// The place where it was made.
    pub made_on: MadeOn,
}

impl AnswerText {
    /// The JSON text of a view. It is written here, and begun anew on a thread of its own once it turns out
    /// to be large.
    pub async fn of<T: Serialize + Send + 'static>(view: T) -> Result<AnswerText, Problem> {
        match json_text_up_to(&view, LARGE).map_err(not_written)? {
            Some(bytes) => Ok(bytes.into()),
            None => AnswerText::on_thread(move || text(&view)).await,
        }
    }

    /// A text that is made on a thread of its own.
    pub async fn on_thread(
        make: impl FnOnce() -> Result<Bytes, Problem> + Send + 'static,
    ) -> Result<AnswerText, Problem> {
        let (text, ()) = AnswerText::on_thread_with(move || Ok((make()?, ()))).await?;
        Ok(text)
    }

    /// A text that is made on a thread of its own, and what is made beside it there.
    pub async fn on_thread_with<Beside: Send + 'static>(
        make: impl FnOnce() -> Result<(Bytes, Beside), Problem> + Send + 'static,
    ) -> Result<(AnswerText, Beside), Problem> {
        let (bytes, beside) = on_own_thread(make).await??;
        Ok((AnswerText { bytes, made_on: MadeOn::Thread }, beside))
    }

    /// A text that is as it was kept.
    pub fn kept(text: String) -> AnswerText {
        AnswerText { bytes: text.into(), made_on: MadeOn::Kept }
    }
}

/// A text that the worker has made.
impl From<Bytes> for AnswerText {
    fn from(bytes: Bytes) -> AnswerText {
        AnswerText { bytes, made_on: MadeOn::Worker }
    }
}

impl From<RenderedPage> for AnswerText {
    fn from(page: RenderedPage) -> AnswerText {
        AnswerText { bytes: page.body.into(), made_on: page.made_on }
    }
}

/// The JSON text of a value.
pub fn text(value: &impl Serialize) -> Result<Bytes, Problem> {
    json_text(value).map_err(not_written)
}

/// The hash of a text, of which an entity tag can be made.
pub fn content_hash(text: &[u8]) -> String {
    hex::encode(Sha256::digest(text))
}

fn not_written(error: serde_json::Error) -> Problem {
    tracing::error!(%error, "a response cannot be written");
    Problem::new(ProblemType::Internal, "the service could not write its answer")
}
