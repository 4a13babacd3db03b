//! The pages that the scripts are played on.

use greenroom_testkit::site::File;

/// What the site serves beyond its own pages.
pub(super) const PAGES: &[File] = &[
    ("/both/note.js", include_str!("pages/note.js")),
    ("/both/data.json", r#"{"birds":["finch","heron"]}"#),
    ("/both/dialogs", include_str!("pages/dialogs.html")),
    ("/both/files", include_str!("pages/files.html")),
    ("/both/forms", include_str!("pages/forms.html")),
    ("/both/frames", include_str!("pages/frames.html")),
    ("/both/inner", include_str!("pages/inner.html")),
    ("/both/keyboard", include_str!("pages/keyboard.html")),
    ("/both/looking", include_str!("pages/looking.html")),
    ("/both/media", include_str!("pages/media.html")),
    ("/both/mouse", include_str!("pages/mouse.html")),
    ("/both/storage", include_str!("pages/storage.html")),
    ("/both/tabs", include_str!("pages/tabs.html")),
];
