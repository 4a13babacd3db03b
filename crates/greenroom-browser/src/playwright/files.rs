//! Takes files out of the upstream's output directory, and nothing from anywhere else.
//!
//! A link comes from the upstream, but a page may have had a hand in it. It is followed one name
//! at a time below the directory, never through a symbolic link, and only to a regular file of
//! bounded size. What was taken is removed, so that the directory does not grow.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use tokio::io::{AsyncRead, AsyncWriteExt as _};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

/// The folder of what is given to the upstream, apart from what it writes itself.
const LAID_OUT: &str = "given";

/// The directory in which an upstream runs and into which it writes.
#[derive(Debug, Clone)]
pub struct OutputDir {
    path: PathBuf,
}

/// What became of an attempt to take a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Its contents; the file is gone.
    Contents(Vec<u8>),
    /// It was bigger than this; the file is gone.
    TooLarge(u64),
    /// There is no such file here, or it may not be read.
    Absent,
}

impl OutputDir {
    /// The directory at this absolute path. It must exist when a file is taken from it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a link points to a file that is here.
    pub(super) fn holds(&self, link: &str) -> bool {
        self.open(link).is_ok()
    }

    /// Takes the file that a link points to.
    pub(super) fn take(&self, link: &str, limit: u64) -> Taken {
        let Ok((mut file, place)) = self.open(link) else {
            return Taken::Absent;
        };
        let length = file.metadata().map_or(u64::MAX, |meta| meta.len());
        let taken = if length > limit {
            Taken::TooLarge(length)
        } else {
            let mut contents = Vec::new();
            match file.by_ref().take(limit).read_to_end(&mut contents) {
                Ok(_) => Taken::Contents(contents),
                Err(_) => Taken::Absent,
            }
        };
        place.remove();
        taken
    }

    /// Takes all that a log holds: the first `limit` bytes, and whether there was more.
    ///
    /// The upstream opens a log by its name for every line, so a log can be taken like a queue:
    /// what comes after goes into a new file of the same name. Lines that came between reading
    /// and removing are read from the file that is still open.
    pub(super) fn take_log(&self, link: &str, limit: u64) -> Option<(Vec<u8>, bool)> {
        let (mut file, place) = self.open(link).ok()?;
        let mut contents = Vec::new();
        file.by_ref().take(limit).read_to_end(&mut contents).ok()?;
        place.remove();
        let left = limit - contents.len() as u64;
        file.by_ref().take(left).read_to_end(&mut contents).ok()?;
        let more = file.read(&mut [0]).is_ok_and(|read| read > 0);
        Some((contents, more))
    }

    /// Writes a file for the upstream to read, in a folder of its own, and says where it is. Both
    /// must be plain names.
    pub(super) async fn lay_out(
        &self,
        folder: &str,
        name: &str,
        contents: &mut (impl AsyncRead + Unpin),
    ) -> io::Result<PathBuf> {
        let is_plain = |name| base_name(name) == name && !matches!(name, "" | "." | "..");
        if !is_plain(folder) || !is_plain(name) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let folder = self.path.join(LAID_OUT).join(folder);
        tokio::fs::create_dir_all(&folder).await?;
        let path = folder.join(name);
        // The same name may be laid out again: it is the same file or a newer one.
        let mut file = tokio::fs::File::create(&path).await?;
        tokio::io::copy(contents, &mut file).await?;
        file.flush().await?;
        Ok(path)
    }

    /// Removes everything in the directory, but not the directory: the upstream runs in it.
    pub(super) fn clear(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            let removed = if entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(entry.path())
            } else {
                std::fs::remove_file(entry.path())
            };
            // Gone already is as good as removed.
            if let Err(error) = removed
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
        }
        Ok(())
    }

    fn open(&self, link: &str) -> io::Result<(File, Place)> {
        let names = self.names(link).ok_or(io::ErrorKind::InvalidInput)?;
        let folders = names
            .len()
            .checked_sub(1)
            .ok_or(io::ErrorKind::InvalidInput)?;
        let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut parents = vec![rustix::fs::open(&self.path, directory, Mode::empty())?];
        for folder in &names[..folders] {
            let flags = directory | OFlags::NOFOLLOW;
            let parent = parents
                .last()
                .expect("BUG: there is always the directory itself");
            parents.push(rustix::fs::openat(
                parent,
                folder.as_str(),
                flags,
                Mode::empty(),
            )?);
        }
        let place = Place { parents, names };
        // Not blocking: a pipe in the place of a file must not hold us up.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(place.parent(), place.name(), flags, Mode::empty())?;
        match FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) {
            FileType::RegularFile => Ok((File::from(file), place)),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// The names from the directory down to the file, or `None` for a link that leads elsewhere.
    /// Windows separates names with backslashes.
    fn names(&self, link: &str) -> Option<Vec<String>> {
        let link = link.replace('\\', "/");
        let path = Path::new(&link);
        let path = if path.is_absolute() {
            path.strip_prefix(&self.path).ok()?
        } else {
            path
        };
        path.components()
            .filter(|component| *component != Component::CurDir)
            .map(|component| match component {
                Component::Normal(name) => name.to_str().map(str::to_owned),
                _ => None,
            })
            .collect()
    }
}

/// Where an open file stands.
#[derive(Debug)]
struct Place {
    /// The directory itself and the folders below it, down to the file's own.
    parents: Vec<OwnedFd>,
    names: Vec<String>,
}

impl Place {
    fn parent(&self) -> &OwnedFd {
        self.parents
            .last()
            .expect("BUG: there is always the directory itself")
    }

    fn name(&self) -> &str {
        self.names.last().expect("BUG: a place has a name")
    }

    /// Removes the file, and the folders that are empty without it.
    fn remove(&self) {
        let mut flags = AtFlags::empty();
        for (parent, name) in self.parents.iter().zip(&self.names).rev() {
            if rustix::fs::unlinkat(parent, name.as_str(), flags).is_err() {
                return;
            }
            flags = AtFlags::REMOVEDIR;
        }
    }
}

/// The last name of a path, with either kind of separator.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\'])
        .find(|name| !name.is_empty())
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn output() -> (tempfile::TempDir, OutputDir) {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("out");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("page-1.yml"), "- text: x").unwrap();
        std::fs::write(parent.path().join("secret"), "no").unwrap();
        (parent, OutputDir::new(path))
    }

    #[test]
    fn a_taken_file_is_gone_and_so_are_its_empty_folders() {
        let (_parent, output) = output();
        std::fs::create_dir_all(output.path().join("a/b")).unwrap();
        std::fs::write(output.path().join("a/b/x.txt"), "x").unwrap();
        let absolute = output.path().join("page-1.yml");
        assert_eq!(
            output.take(absolute.to_str().unwrap(), 100),
            Taken::Contents(b"- text: x".to_vec())
        );
        assert_eq!(output.take("./page-1.yml", 100), Taken::Absent);
        assert_eq!(
            output.take("a\\b/./x.txt", 100),
            Taken::Contents(b"x".to_vec())
        );
        assert_eq!(std::fs::read_dir(output.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_is_not_empty_stays() {
        let (_parent, output) = output();
        std::fs::create_dir_all(output.path().join("a")).unwrap();
        std::fs::write(output.path().join("a/x"), "x").unwrap();
        std::fs::write(output.path().join("a/y"), "y").unwrap();
        assert_eq!(output.take("a/x", 100), Taken::Contents(b"x".to_vec()));
        assert!(output.holds("a/y"));
    }

    #[test]
    fn nothing_outside_is_reached_and_nothing_but_regular_files() {
        let (parent, output) = output();
        let out = output.path();
        symlink(parent.path().join("secret"), out.join("link.yml")).unwrap();
        symlink(parent.path(), out.join("up")).unwrap();
        std::fs::create_dir(out.join("folder")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, out.join("pipe"), Mode::RUSR).unwrap();
        for link in [
            "../secret",
            "./../secret",
            "/etc/passwd",
            "link.yml",
            "up/secret",
            "folder",
            "pipe",
            "",
            ".",
            "..",
            "missing",
            "a/../page-1.yml",
            "..\\secret",
            "page-1.yml\0",
        ] {
            assert_eq!(output.take(link, 100), Taken::Absent, "{link:?}");
        }
        assert!(parent.path().join("secret").exists() && out.join("link.yml").is_symlink());
        assert!(output.holds("page-1.yml"));
    }

    #[test]
    fn a_file_beyond_the_limit_is_removed_unread() {
        let (_parent, output) = output();
        assert_eq!(output.take("page-1.yml", 8), Taken::TooLarge(9));
        assert!(!output.holds("page-1.yml"));
    }

    #[test]
    fn a_log_is_taken_like_a_queue() {
        let (_parent, output) = output();
        let log = output.path().join("c.log");
        std::fs::write(&log, "one\n").unwrap();
        assert_eq!(
            output.take_log("c.log", 100),
            Some((b"one\n".to_vec(), false))
        );
        assert_eq!(output.take_log("c.log", 100), None);
        std::fs::write(&log, "two\nthree\n").unwrap();
        assert_eq!(output.take_log("c.log", 4), Some((b"two\n".to_vec(), true)));
    }

    #[test]
    fn clearing_leaves_an_empty_directory_and_follows_no_link() {
        let (parent, output) = output();
        std::fs::create_dir_all(output.path().join("a/b")).unwrap();
        symlink(parent.path(), output.path().join("up")).unwrap();
        output.clear().unwrap();
        assert_eq!(std::fs::read_dir(output.path()).unwrap().count(), 0);
        assert!(parent.path().join("secret").exists());
    }

    #[test]
    fn names_and_types() {
        assert_eq!(base_name("./a/b.png"), "b.png");
        assert_eq!(base_name("C:\\x\\b.png"), "b.png");
        assert_eq!(base_name("b.png"), "b.png");
    }
}
