//! What a caller says when it asks for a lease.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Who uses an instance: an opaque tag that the pool only compares.
///
/// An instance that comes back keeps its world for the same tag and is reset for any other.
#[derive(Clone, Debug)]
pub struct Holder(Arc<str>);

impl Holder {
    /// The holder with this tag.
    pub fn new(tag: impl Into<Arc<str>>) -> Self {
        Self(tag.into())
    }

    /// The tag.
    pub fn tag(&self) -> &str {
        &self.0
    }
}

// The same caller mostly passes clones of one tag: the pointers tell without reading the text.
impl PartialEq for Holder {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Holder {}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a holder is doing, for those who wait: usually the name of a tool.
pub type Activity = Cow<'static, str>;

/// One wish for a lease.
#[derive(Clone, Debug)]
pub struct Request {
    /// Id or alias of the only instance that will do; any instance will do when absent.
    pub key: Option<String>,
    /// Who asks.
    pub holder: Holder,
    /// What for.
    pub activity: Option<Activity>,
    /// The longest wait.
    pub timeout: Duration,
}

impl Request {
    /// A wish for any instance.
    pub fn any(holder: Holder, timeout: Duration) -> Self {
        Self {
            key: None,
            holder,
            activity: None,
            timeout,
        }
    }

    /// Wants this instance, by id or alias, and no other.
    #[must_use]
    pub fn only(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Says what the lease is for.
    #[must_use]
    pub fn activity(mut self, activity: impl Into<Activity>) -> Self {
        self.activity = Some(activity.into());
        self
    }
}
