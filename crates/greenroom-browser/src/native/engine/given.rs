//! Files that are laid out for a world: the only ones that its pages may be given.
//!
//! An upload names a path of this machine, and a page that could have any would have all. So only
//! what was laid out here can be uploaded; it is removed with the world.

use std::io;
use std::path::{Path, PathBuf};

use tokio::io::AsyncWriteExt as _;

use crate::native::page::ToolError;

/// What the directory is called in answers.
const SHORT: &str = "given";

/// The directory of the files that were laid out.
#[derive(Debug)]
pub(crate) struct Given {
    /// None where the browser cannot read our files.
    directory: Option<PathBuf>,
}

impl Given {
    /// Beside the downloads of a world, and apart from them.
    pub(super) fn beside(downloads: Option<&Path>) -> Self {
        let beside = |downloads: &Path| {
            let mut name = downloads.file_name().unwrap_or_default().to_owned();
            name.push("-given");
            downloads.with_file_name(name)
        };
        Self {
            directory: downloads.map(beside),
        }
    }

    /// Writes a file for pages to be given, and says where it is. Both must be plain names.
    pub(super) async fn lay_out(
        &self,
        folder: &str,
        name: &str,
        contents: &mut tokio::fs::File,
    ) -> io::Result<PathBuf> {
        let is_plain =
            |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0']);
        if !is_plain(folder) || !is_plain(name) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let directory = self.directory.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        let folder = directory.join(folder);
        tokio::fs::create_dir_all(&folder).await?;
        let path = folder.join(name);
        let mut file = tokio::fs::File::create(&path).await?;
        tokio::io::copy(contents, &mut file).await?;
        file.flush().await?;
        Ok(path)
    }

    /// The file that a path means, if it is one that was laid out. Links are followed first, so
    /// that none leads elsewhere.
    pub(crate) async fn check(&self, path: &str) -> Result<PathBuf, ToolError> {
        let refused = || {
            ToolError::Argument(format!(
                "File access denied: {path} was not handed to this browser. Upload the file as a blob first and give its id in the place of a path."
            ))
        };
        let directory = self.directory.as_ref().ok_or_else(refused)?;
        let real = tokio::fs::canonicalize(path).await.map_err(|_| refused())?;
        let root = tokio::fs::canonicalize(directory)
            .await
            .map_err(|_| refused())?;
        let is_file = tokio::fs::metadata(&real)
            .await
            .is_ok_and(|meta| meta.is_file());
        if is_file && real.starts_with(root) {
            Ok(real)
        } else {
            Err(refused())
        }
    }

    /// Text that an agent is shown, in which the directory goes by a short name: where it is on this
    /// machine is of no use to anybody else.
    pub(crate) fn conceal(&self, text: &str) -> String {
        let Some(directory) = &self.directory else {
            return text.to_owned();
        };
        let real = std::fs::canonicalize(directory);
        let real = real.unwrap_or_else(|_| directory.clone());
        let text = text.replace(&*real.to_string_lossy(), SHORT);
        text.replace(&*directory.to_string_lossy(), SHORT)
    }

    pub(super) async fn clear(&self) -> io::Result<()> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        match tokio::fs::remove_dir_all(directory).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_what_was_laid_out_may_be_given_to_a_page() {
        let root = tempfile::tempdir().unwrap();
        let given = Given::beside(Some(&root.path().join("world")));
        let secret = root.path().join("secret");
        std::fs::write(&secret, "no").unwrap();
        let mut contents = tokio::fs::File::open(&secret).await.unwrap();
        let path = given.lay_out("f", "a.txt", &mut contents).await.unwrap();
        let path = path.to_str().unwrap();
        assert!(given.check(path).await.is_ok());
        assert_eq!(
            given.conceal(&format!("drop('{path}')")),
            "drop('given/f/a.txt')"
        );
        std::os::unix::fs::symlink(&secret, format!("{path}-link")).unwrap();
        let directory = path.trim_end_matches("/a.txt");
        for wrong in [
            secret.to_str().unwrap().to_owned(),
            format!("{path}-link"),
            format!("{directory}/../secret"),
            directory.to_owned(),
            "/etc/passwd".to_owned(),
            String::new(),
        ] {
            let refused = given.check(&wrong).await.unwrap_err().to_string();
            assert!(refused.contains("denied"), "{wrong}: {refused}");
        }
        for wrong in ["", "..", "a/b", "a\\b"] {
            assert!(
                given.lay_out("f", wrong, &mut contents).await.is_err()
                    && given.lay_out(wrong, "a", &mut contents).await.is_err(),
                "{wrong}"
            );
        }
        given.clear().await.unwrap();
        given.clear().await.unwrap();
        assert!(given.check(path).await.is_err());
    }
}
