//! Pictures and files of an answer, as far as two engines must agree on them.

use serde_json::Value;

/// What each block that is not text is: of a picture its format and size in pixels, of a file its
/// name and media type. Its bytes depend on who encoded it.
pub(super) fn of(answer: &Value) -> Vec<String> {
    let blocks = answer["content"].as_array().unwrap().iter();
    blocks.filter_map(describe).collect()
}

fn describe(block: &Value) -> Option<String> {
    match block["type"].as_str()? {
        "image" => {
            let (kind, data) = (block["mimeType"].as_str()?, block["data"].as_str()?);
            let (width, height) = size(&decode(data))?;
            Some(format!("{kind} of {width} x {height}"))
        }
        "text" => None,
        other => Some(format!(
            "{other} {} ({})",
            block["name"].as_str().unwrap_or_default(),
            block["mimeType"].as_str().unwrap_or_default()
        )),
    }
}

/// The size in pixels of a PNG or a JPEG.
fn size(picture: &[u8]) -> Option<(u32, u32)> {
    if picture.starts_with(b"\x89PNG") {
        let number = |at: usize| {
            let bytes = picture.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_be_bytes(bytes))
        };
        return Some((number(16)?, number(20)?));
    }
    jpeg_size(picture)
}

/// The size is in the segment that begins a frame (C0 to C2); every segment before it says how
/// long it is.
fn jpeg_size(picture: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| {
        Some(u32::from_be_bytes([
            0,
            0,
            *picture.get(at)?,
            *picture.get(at + 1)?,
        ]))
    };
    let mut at = 2;
    while !(0xc0..=0xc2).contains(picture.get(at + 1)?) {
        at += 2 + usize::try_from(number(at + 2)?).ok()?;
    }
    Some((number(at + 7)?, number(at + 5)?))
}

fn decode(base64: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [0; 256];
    for (value, letter) in (0..).zip(ALPHABET) {
        values[usize::from(*letter)] = value;
    }
    let four = |group: &[u8]| {
        group
            .iter()
            .fold(0_u32, |sum, letter| sum << 6 | values[usize::from(*letter)])
    };
    let groups = base64.as_bytes().chunks(4).map(four);
    groups
        .flat_map(|group| group.to_be_bytes()[1..].to_vec())
        .collect()
}
