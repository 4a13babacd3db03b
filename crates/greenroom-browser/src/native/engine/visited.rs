//! The sites that a world has been at: only by their names can be asked what they keep.

use std::sync::{Mutex, PoisonError};

use crate::native::origin::origin_of;

/// A world that has been at more sites keeps the first of them.
const MOST: usize = 500;

/// Origins in the order in which they were first seen.
#[derive(Debug, Default)]
pub(crate) struct Visited(Mutex<Vec<String>>);

impl Visited {
    /// Remembers the site of an address, if it is one of the web.
    pub(super) fn note(&self, url: &str) {
        let Some(origin) = origin_of(url) else {
            return;
        };
        let mut origins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if origins.len() < MOST && !origins.contains(&origin) {
            origins.push(origin);
        }
    }

    pub(super) fn list(&self) -> Vec<String> {
        let origins = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        origins.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_remembered_once_and_not_without_end() {
        let visited = Visited::default();
        for url in ["http://a/1", "about:blank", "http://a/2", "https://a/"] {
            visited.note(url);
        }
        assert_eq!(visited.list(), ["http://a", "https://a"]);
        for number in 0..2 * MOST {
            visited.note(&format!("http://{number}/"));
        }
        assert_eq!(visited.list().len(), MOST);
    }
}
