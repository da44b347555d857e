//! The macro that makes the kinds of events from their table.

/// Makes `EventData` and the borrowed views of the families from the table of the kinds. A line of the
/// table has the type of the data, the name of the kind in the log, and its family. The lifetime that comes
/// with the family is the one of its view, and tells the macro in which view the kind belongs. A kind with
/// more than one version says so; its type then has the methods `version` and `read_version`.
macro_rules! kinds {
    (@latest) => { 1 };
    (@latest $latest:literal) => { $latest };
    (@version $data:ident) => { 1 };
    (@version $data:ident $latest:literal) => { $data.version() };
    (@read $Kind:ident $v:ident $data:ident) => { read_value::<$Kind>($data) };
    (@read $Kind:ident $v:ident $data:ident $latest:literal) => { $Kind::read_version($v, $data) };

    ($(
        #[doc = $doc:tt]
        $Kind:ident $name:tt in
            $(Lifecycle<$lifecycle:lifetime>)? $(Play<$play:lifetime>)? $(Remote<$remote:lifetime>)?
            $(Review<$review:lifetime>)? $(Adjudication<$adjudication:lifetime>)?
            $(of $latest:literal versions)?;
    )+) => {
        /// The data of an event, by kind.
        #[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
        #[serde(tag = "kind", content = "data")]
        pub enum EventData {
            $(#[doc = $doc] #[serde(rename = $name)] $Kind($Kind)),+
        }

        /// The data of an event, borrowed, by family and kind.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum EventFamily<'a> {
            /// An event of the match's beginning or end.
            Lifecycle(LifecycleEvent<'a>),
            /// An event of play.
            Play(PlayEvent<'a>),
            /// An event of remote play.
            Remote(RemoteEvent<'a>),
            /// The review of a decision, or its acceptance.
            Review(&'a Review),
            /// An event of adjudication.
            Adjudication(AdjudicationEvent<'a>),
        }

        /// An event of the match's beginning or end, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum LifecycleEvent<'a> {
            $($(#[doc = $doc] $Kind(&$lifecycle $Kind),)?)+
        }

        /// An event of play, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum PlayEvent<'a> {
            $($(#[doc = $doc] $Kind(&$play $Kind),)?)+
        }

        /// An event of remote play, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum RemoteEvent<'a> {
            $($(#[doc = $doc] $Kind(&$remote $Kind),)?)+
        }

        /// An event of adjudication, borrowed.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum AdjudicationEvent<'a> {
            $($(#[doc = $doc] $Kind(&$adjudication $Kind),)?)+
        }

        impl EventData {
            /// All kinds, by their names in the log.
            pub const KINDS: &[&str] = &[$($name),+];

            /// The latest version of each kind, in the order of the kinds.
            pub(in crate::log) const LATEST: &[u32] = &[$(kinds!(@latest $($latest)?)),+];

            /// The version of the event: the least version of its kind that has the members of its data.
            pub fn version(&self) -> u32 {
                match self { $(EventData::$Kind(_data) => kinds!(@version _data $($latest)?)),+ }
            }

            /// The name of the kind in the log.
            pub const fn kind(&self) -> &'static str {
                match self { $(EventData::$Kind(_) => $name),+ }
            }

            /// The family of the event, with its data.
            pub const fn family<'a>(&'a self) -> EventFamily<'a> {
                match self {
                    $(EventData::$Kind(data) => {
                        $(EventFamily::Lifecycle(LifecycleEvent::<$lifecycle>::$Kind(data)))?
                        $(EventFamily::Play(PlayEvent::<$play>::$Kind(data)))?
                        $(EventFamily::Remote(RemoteEvent::<$remote>::$Kind(data)))?
                        $(EventFamily::<$review>::Review(data))?
                        $(EventFamily::Adjudication(AdjudicationEvent::<$adjudication>::$Kind(data)))?
                    })+
                }
            }

            /// Reads the data of an event by its kind and version. Each version has the members that it was
            /// written with, and no other.
            pub fn read(kind: &str, v: u32, data: &Value) -> Result<EventData, InvalidEvent> {
                Self::known(kind, v)?;
                let read = match kind {
                    $($name => kinds!(@read $Kind v data $($latest)?).map(EventData::$Kind),)+
                    other => return Err(unknown_kind(other)),
                };
                read.map_err(|fault| InvalidEvent::of_value("data", &fault))
            }

            /// Reads data in canonical form, by its kind.
            pub(in crate::log) fn read_canonical(kind: &str, text: &mut Cursor<'_>) -> Option<EventData> {
                match kind {
                    $($name => Canonical::read(text).map(EventData::$Kind),)+
                    _ => None,
                }
            }

            /// Writes the data in canonical form.
            pub(in crate::log) fn write(&self, out: &mut String) -> Result<(), NotCanonical> {
                match self { $(EventData::$Kind(data) => data.write(out)),+ }
            }
        }
    };
}

pub(super) use kinds;
