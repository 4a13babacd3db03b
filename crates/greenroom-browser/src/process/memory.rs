//! The memory of a process tree.

use std::ops::AddAssign;

/// Memory in bytes, summed over the living processes of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    /// Proportional set size: shared pages are split among those who share them. This is the true
    /// cost of a browser, whose processes share most of their code.
    pub pss: u64,
    /// Resident set size: shared pages are counted once per process.
    pub rss: u64,
    /// How many processes were counted.
    pub processes: usize,
}

impl AddAssign for Memory {
    fn add_assign(&mut self, other: Self) {
        self.pss += other.pss;
        self.rss += other.rss;
        self.processes += other.processes;
    }
}

/// The memory of one process; none when it is gone or may not be looked at.
pub(super) fn of(pid: i32) -> Option<Memory> {
    parse(&std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?)
}

fn parse(rollup: &str) -> Option<Memory> {
    Some(Memory {
        pss: field(rollup, "Pss:")?,
        rss: field(rollup, "Rss:")?,
        processes: 1,
    })
}

/// The value of a `Name:   123 kB` line, in bytes.
fn field(rollup: &str, name: &str) -> Option<u64> {
    let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::super::identity::own_pid;
    use super::*;

    #[test]
    fn the_rollup_of_this_process_has_a_proportional_size_below_the_resident_one() {
        let memory = of(own_pid()).unwrap();
        assert!(memory.pss > 0 && memory.pss <= memory.rss, "{memory:?}");
    }

    #[test]
    fn a_rollup_is_read_by_line_name_and_in_kibibytes() {
        let rollup = "55d0-7ffc ---p 00000000 00:00 0 [rollup]\nRss:    2048 kB\nPss:   1024 kB\nPss_Anon: 7 kB\n";
        let expected = Memory {
            pss: 1 << 20,
            rss: 2 << 20,
            processes: 1,
        };
        assert_eq!(parse(rollup), Some(expected));
        assert_eq!(parse("Rss: many kB\n"), None);
    }
}
