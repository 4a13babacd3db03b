//! Files that a test brings for the site to serve.

use super::HTML;

/// A path, and what is served there.
pub type File = (&'static str, &'static str);

/// One of the further files, with the media type that its name stands for.
pub(super) fn find(files: &[File], path: &str) -> Option<(&'static str, String)> {
    let path = path.split('?').next().unwrap_or_default();
    let (name, body) = files.iter().find(|(name, _)| *name == path)?;
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        _ => HTML,
    };
    Some((kind, (*body).to_owned()))
}
