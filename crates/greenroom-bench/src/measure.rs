//! Clocks, medians and memory.

use std::io;
use std::time::{Duration, Instant};

/// Now, by the machine's own clock.
#[allow(
    clippy::disallowed_methods,
    reason = "a benchmark measures real time, which tests must not"
)]
pub(crate) fn clock() -> Instant {
    Instant::now()
}

/// Nanoseconds per step.
pub(crate) fn per_step(elapsed: Duration, steps: u32) -> f64 {
    elapsed.as_secs_f64() * 1e9 / f64::from(steps)
}

/// The middle of what was measured: unlike a mean it shrugs off the rounds in which the machine
/// did something else.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    assert!(!values.is_empty(), "nothing was measured");
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) {
        f64::midpoint(values[middle - 1], values[middle])
    } else {
        values[middle]
    }
}

/// The proportional memory of a process, in megabytes.
pub(crate) fn pss(pid: u32) -> io::Result<f64> {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = pss.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    let megabytes = kilobytes.map(|kilobytes| kilobytes / 1024.0);
    megabytes.ok_or_else(|| io::Error::other("no PSS of the process"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "these values are exact")]
    fn the_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 5.0]), 5.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 100.0]), 3.0);
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "these values are exact")]
    fn time_is_shared_out_over_the_steps() {
        assert_eq!(per_step(Duration::from_micros(2), 4), 500.0);
    }
}
