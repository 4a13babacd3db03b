//! Files that a call names by blob id, laid out where its browser may read them.
//!
//! A caller may be on another machine than the browser, and may not name files of this one. It
//! uploads a file once and then gives its id wherever a tool takes a path.

use std::collections::HashSet;

use greenroom_store::{BlobId, Store, StoreError};
use serde_json::{Map, Value};

use super::CallError;
use crate::fleet::BrowserLease;
use crate::identity::Principal;
use crate::record::owner;
use crate::service::BlobView;
use crate::tools::validate::Command;

/// The tools that take files, and the argument that names them: one, or a list.
const TAKES_FILES: [(&str, &str); 3] = [
    ("browser_file_upload", "paths"),
    ("browser_drop", "paths"),
    ("browser_set_storage_state", "filename"),
];

/// The arguments of a command, with a path in the place of each blob id.
pub(super) async fn lay_out(
    store: &Store,
    principal: &Principal,
    lease: &BrowserLease,
    command: &Command,
) -> Result<Map<String, Value>, CallError> {
    let mut arguments = command.arguments.clone();
    let takes = TAKES_FILES
        .iter()
        .find(|(tool, _)| *tool == command.tool.name());
    let Some(named) = takes.and_then(|(_, name)| arguments.get_mut(*name)) else {
        return Ok(arguments);
    };
    let mut names = HashSet::new();
    for path in files_of(named) {
        let Some(named) = path.as_str().and_then(blob_id) else {
            continue;
        };
        let (id, wish) = named?;
        let (info, mut file) = store
            .open_blob(owner(principal), id)
            .await
            .map_err(|error| missing(&error, &id.to_string()))?;
        let name = wish.unwrap_or_else(|| file_name(&id, &info.mime));
        // Upstreams tell files of one call apart by name alone: one would arrive twice.
        if !names.insert(name.clone()) {
            return Err(CallError::Invalid(format!(
                "two files of this call are called '{name}': give each a name of its own after its blob id, as in sha256-…/first.csv"
            )));
        }
        let engine = lease.browser().engine();
        let laid_out = engine.lay_out(&id.to_string(), &name, &mut file).await;
        let laid_out = laid_out.map_err(|error| {
            CallError::Invalid(format!("the blob cannot be given to the browser: {error}"))
        })?;
        *path = laid_out.to_string_lossy().into_owned().into();
    }
    Ok(arguments)
}

/// The files that an argument names.
fn files_of(named: &mut Value) -> &mut [Value] {
    match named {
        Value::Array(several) => several,
        one => std::slice::from_mut(one),
    }
}

/// The blob that an argument means, if it means one, and the name that the page is to see:
/// `blob://sha256-…` or `sha256-…`, with `/resume.pdf` after it where the name matters.
fn blob_id(path: &str) -> Option<Result<(BlobId, Option<String>), CallError>> {
    let bare = path.strip_prefix(BlobView::SCHEME);
    let blob = bare.unwrap_or(path);
    if bare.is_none() && !blob.starts_with("sha256-") {
        return None;
    }
    let (id, name) = match blob.split_once('/') {
        Some((_, name)) if !is_plain(name) => {
            return Some(Err(CallError::Invalid(format!(
                "'{name}' cannot be the name of an uploaded file: give a plain name of up to 200 bytes after the blob id, as in sha256-…/photo.png"
            ))));
        }
        Some((id, name)) => (id, Some(name)),
        None => (blob, None),
    };
    let parsed = id.parse::<BlobId>();
    let known = parsed.map_err(|_| CallError::UnknownBlob { id: id.to_owned() });
    Some(known.map(|id| (id, name.map(str::to_owned))))
}

/// A name that leads nowhere else.
fn is_plain(name: &str) -> bool {
    let ordinary = |c: char| !c.is_control() && c != '/' && c != '\\';
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.chars().all(ordinary)
}

fn missing(error: &StoreError, id: &str) -> CallError {
    match error {
        StoreError::NotFound { .. } => CallError::UnknownBlob { id: id.to_owned() },
        other => CallError::Invalid(format!("the blob {id} cannot be read: {other}")),
    }
}

/// Pages judge a file by its name, so it gets the ending of its kind.
fn file_name(id: &BlobId, mime: &str) -> String {
    let essence = mime.split(';').next().unwrap_or(mime).trim();
    let ending = match essence {
        "text/plain" => "txt",
        "image/jpeg" => "jpg",
        "image/svg+xml" => "svg",
        "application/octet-stream" => "bin",
        other => other.rsplit('/').next().unwrap_or("bin"),
    };
    let plain = ending.chars().all(|c| c.is_ascii_alphanumeric());
    let ending = if plain && !ending.is_empty() {
        ending
    } else {
        "bin"
    };
    format!("{id}.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_names_one_file_or_several() {
        let mut several = serde_json::json!(["a", "b"]);
        assert_eq!(files_of(&mut several).len(), 2);
        let mut one = Value::from("a");
        files_of(&mut one)[0] = Value::from("b");
        assert_eq!(one, "b");
    }

    #[test]
    fn only_what_looks_like_a_blob_is_one() {
        let id = format!("sha256-{}", "0a".repeat(32));
        assert!(blob_id(&id).unwrap().is_ok());
        assert!(blob_id(&format!("blob://{id}")).unwrap().is_ok());
        let (_, name) = blob_id(&format!("{id}/resume.pdf")).unwrap().unwrap();
        assert_eq!(name.as_deref(), Some("resume.pdf"));
        for escape in ["../x", ".hidden", "a/b", ""] {
            let refused = blob_id(&format!("{id}/{escape}")).unwrap().unwrap_err();
            assert!(refused.to_string().contains("plain name"), "{refused}");
        }
        for path in ["/data/photo.png", "photo.png", "./sha256.txt"] {
            assert!(blob_id(path).is_none(), "{path}");
        }
        for broken in ["sha256-xyz", "blob://", "blob://../etc/passwd"] {
            assert!(blob_id(broken).unwrap().is_err(), "{broken}");
        }
    }

    #[test]
    fn a_file_is_named_by_its_kind_and_never_by_its_owner() {
        let id: BlobId = format!("sha256-{}", "0a".repeat(32)).parse().unwrap();
        for (mime, ending) in [
            ("image/png", ".png"),
            ("text/csv; charset=utf-8", ".csv"),
            ("application/vnd.ms-excel", ".bin"),
            ("a/../../b", ".b"),
            ("", ".bin"),
        ] {
            let name = file_name(&id, mime);
            assert!(name.ends_with(ending) && !name.contains('/'), "{name}");
        }
    }
}
