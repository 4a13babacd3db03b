//! Pages that can be made again from their name, so that two processes agree on every byte.

use greenroom_store::RefId;

/// A page of about so many bytes that no other call has.
pub(crate) fn page_of(ref_id: RefId, bytes: usize) -> String {
    let mut text = format!("- document {ref_id}:\n");
    for n in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&format!(
            "  - listitem \"Entry {n} of {ref_id}\" [ref=e{n}]\n"
        ));
    }
    text
}

/// A result that no other call has, and that is no text.
pub(crate) fn result_of(ref_id: RefId, bytes: usize) -> Vec<u8> {
    let seed = ref_id.to_string().into_bytes();
    seed.iter()
        .cycle()
        .zip(0u64..)
        .map(|(s, n)| s.wrapping_mul(n as u8))
        .take(bytes)
        .collect()
}
