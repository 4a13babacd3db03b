//! Paths as settings write them: `~`, relative to a base, with `..` in them.

use std::path::{Component, Path, PathBuf};

/// What a written path is relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    /// The directory of the file that names the path, or the working
    /// directory for variables and flags.
    pub(crate) directory: PathBuf,
    /// The home directory, which `~/` stands for.
    pub(crate) home: Option<PathBuf>,
}

impl Base {
    /// The absolute path that `text` names. It is cleaned lexically, so that
    /// two spellings of one path compare equal; nothing has to exist yet.
    pub(crate) fn resolve(&self, text: &str) -> Option<PathBuf> {
        if text.contains('\0') {
            return None;
        }
        let written = match (text.strip_prefix("~/"), text) {
            (Some(rest), _) => self.home.as_ref()?.join(rest),
            (None, "~") => self.home.clone()?,
            (None, _) => self.directory.join(text),
        };
        Some(clean(&written))
    }
}

fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_their_base_and_cleaned() {
        let base = Base {
            directory: "/srv/here".into(),
            home: Some("/home/ann".into()),
        };
        for (text, path) in [
            ("x", "/srv/here/x"),
            ("./a/./b", "/srv/here/a/b"),
            ("../x", "/srv/x"),
            ("/abs/../x", "/x"),
            ("~/x", "/home/ann/x"),
            ("~", "/home/ann"),
            ("~ann/x", "/srv/here/~ann/x"),
        ] {
            assert_eq!(base.resolve(text), Some(path.into()), "{text}");
        }
        assert_eq!(base.resolve("a\0b"), None);
        let homeless = Base { home: None, ..base };
        assert_eq!(homeless.resolve("~/x"), None);
    }
}
