//! Text that must not end up in a log, a message or `config show`.

use std::fmt;

use crate::values::mask;

/// A bearer token. `Debug` hides it; only [`Secret::expose`] gives it out.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The token itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// An address that may carry a password or a token. `Display` and `Debug`
/// mask both; only [`MaskedUrl::expose`] gives the whole out.
#[derive(Clone, PartialEq, Eq)]
pub struct MaskedUrl(String);

impl MaskedUrl {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The address as it was written.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MaskedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&mask::url(&self.0))
    }
}

impl fmt::Debug for MaskedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", mask::url(&self.0))
    }
}
