//! Parts of lists.
//!
//! The crate's own slicing adds the step to the index without regard for what fits an `i32`, and
//! panics on `[1::2147483647]`.

use jmespath::Rcvar;

/// Start, stop and step, as in Python.
pub(super) type SliceBounds = (Option<i32>, Option<i32>, i32);

/// The items of a slice, or nothing if its step leads nowhere.
pub(super) fn slice(items: &[Rcvar], (start, stop, step): SliceBounds) -> Option<Vec<Rcvar>> {
    let length = i64::try_from(items.len()).ok()?;
    let step = i64::from(step);
    let forwards = match step {
        0 => return None,
        step => step > 0,
    };
    // Backwards, a slice runs from the last item to before the first.
    let (lowest, highest) = if forwards {
        (0, length)
    } else {
        (-1, length - 1)
    };
    let clamp = |bound: i32| {
        let bound = i64::from(bound);
        let bound = if bound < 0 { bound + length } else { bound };
        bound.clamp(lowest, highest)
    };
    let (first, last) = if forwards {
        (lowest, highest)
    } else {
        (highest, lowest)
    };
    let end = stop.map_or(last, clamp);
    let mut at = start.map_or(first, clamp);
    let mut taken = Vec::new();
    while (forwards && at < end) || (!forwards && at > end) {
        let item = usize::try_from(at).ok().and_then(|at| items.get(at));
        taken.extend(item.cloned());
        at += step;
    }
    Some(taken)
}
