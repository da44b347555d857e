use std::borrow::Cow;

/// Why an event cannot come after a correction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unawaited(Cow<'static, str>);

impl<T: Into<Cow<'static, str>>> From<T> for Unawaited {
    fn from(message: T) -> Unawaited {
        Unawaited(message.into())
    }
}
