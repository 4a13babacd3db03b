//! What a file is, as far as its name tells.

use std::ffi::OsStr;
use std::path::Path;

/// The media type of a file, by its name.
pub(crate) fn media_type(name: &str) -> &'static str {
    let ending = Path::new(name)
        .extension()
        .and_then(OsStr::to_str)
        .unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "html" | "htm" => "text/html",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "yml" | "yaml" => "application/yaml",
        "txt" | "log" => "text/plain",
        "webm" => "video/webm",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_in_either_case_and_nothing_else_does() {
        assert_eq!(media_type("x.PNG"), "image/png");
        assert_eq!(media_type("a.b.webm"), "video/webm");
        assert_eq!(media_type("noext"), "application/octet-stream");
    }
}
