//! Names that the browser gives, each of its own type so that none is taken for another.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident,)*) => {$(
        $(#[$meta])*
        #[derive(
            Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// An attachment to a target.
    SessionId,
    /// A page, a frame of another site, a worker.
    TargetId,
    /// A browser context: a world of cookies and storage of its own.
    ContextId,
    /// A frame. The main frame of a page has the name of its target.
    FrameId,
    /// One load of a document.
    LoaderId,
    /// A value that a page holds for us.
    ObjectId,
    /// A request over the network.
    RequestId,
    /// A script.
    ScriptId,
}
