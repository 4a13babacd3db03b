//! Who belongs together: the rule by which a tree is found again after it has come apart.
//!
//! A process belongs to the family when
//! 1. it is a known root, or was found to belong before, by pid *and* start time;
//! 2. it carries the family's marker in its environment;
//! 3. its parent, its group leader or its session leader belongs. Groups and sessions hold
//!    together what reparenting tears apart: a number cannot be recycled as a pid while it
//!    still names a group or a session, so a living leader with the right start time is proof;
//! 4. it was handed to us as an orphan, and the leader of its group or session belonged but
//!    has died meanwhile.
//!
//! Neither this process nor its ancestors ever belong. Dead entries link others to the family but
//! are not returned: there is nothing left to kill in them.

use std::collections::BTreeSet;

use super::identity::Identity;
use super::table::{Entry, Table};

/// From where a family is found.
pub(super) struct Seeds<'a> {
    /// Roots, and whoever was found to belong before.
    pub(super) known: &'a BTreeSet<Identity>,
    /// Whether this living process carries the marker.
    pub(super) is_marked: &'a dyn Fn(&Entry) -> bool,
    /// The pid of the process that collects orphans.
    pub(super) us: i32,
}

/// The living members, in the order of their pids.
pub(super) fn members<'t>(table: &'t Table, seeds: &Seeds<'_>) -> Vec<&'t Entry> {
    let protected = table.line_of(seeds.us);
    let mut outside: Vec<&Entry> = table
        .iter()
        .filter(|entry| !protected.contains(&entry.id.pid))
        .collect();
    let mut pids = BTreeSet::new();
    let mut found = Vec::new();
    let fallen = fallen_leaders(table, seeds);
    take(&mut outside, &mut found, &mut pids, |entry, _| {
        seeds.known.contains(&entry.id)
            || is_orphan_of(entry, &fallen, seeds.us)
            || (!entry.dead && (seeds.is_marked)(entry))
    });
    while take(&mut outside, &mut found, &mut pids, is_kin) {}
    found.retain(|entry| !entry.dead);
    found.sort_by_key(|entry| entry.id.pid);
    found
}

/// Moves everyone who belongs from `outside` to `found`; says whether there was anyone.
fn take<'t>(
    outside: &mut Vec<&'t Entry>,
    found: &mut Vec<&'t Entry>,
    pids: &mut BTreeSet<i32>,
    belongs: impl Fn(&Entry, &BTreeSet<i32>) -> bool,
) -> bool {
    let (new, rest): (Vec<&Entry>, Vec<&Entry>) =
        outside.drain(..).partition(|entry| belongs(entry, pids));
    *outside = rest;
    pids.extend(new.iter().map(|entry| entry.id.pid));
    let any = !new.is_empty();
    found.extend(new);
    any
}

fn is_kin(entry: &Entry, pids: &BTreeSet<i32>) -> bool {
    [entry.parent, entry.group, entry.session]
        .iter()
        .any(|pid| pids.contains(pid))
}

/// Pids of members that are gone altogether and whose number nobody else has.
fn fallen_leaders(table: &Table, seeds: &Seeds<'_>) -> BTreeSet<i32> {
    let gone = |id: &&Identity| table.get(id.pid).is_none();
    seeds.known.iter().filter(gone).map(|id| id.pid).collect()
}

fn is_orphan_of(entry: &Entry, fallen: &BTreeSet<i32>, us: i32) -> bool {
    entry.parent == us && (fallen.contains(&entry.group) || fallen.contains(&entry.session))
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: i32 = 10;

    /// (pid, parent, group, session, dead); every start time is 100.
    type Row = (i32, i32, i32, i32, bool);

    fn found(rows: &[Row], known: &[(i32, u64)], marked: &[i32]) -> Vec<i32> {
        let table: Table = rows.iter().map(entry).collect();
        let known = known.iter().map(|(pid, start)| Identity {
            pid: *pid,
            start_ticks: *start,
        });
        let seeds = Seeds {
            known: &known.collect(),
            is_marked: &|entry| marked.contains(&entry.id.pid),
            us: US,
        };
        members(&table, &seeds).iter().map(|e| e.id.pid).collect()
    }

    fn entry(row: &Row) -> Entry {
        let (pid, parent, group, session, dead) = *row;
        Entry {
            id: Identity {
                pid,
                start_ticks: 100,
            },
            name: format!("p{pid}"),
            parent,
            group,
            session,
            dead,
        }
    }

    const INIT: Row = (1, 0, 1, 1, false);
    const SHELL: Row = (5, 1, 5, 5, false);
    const OURSELVES: Row = (US, 5, US, 5, false);

    #[test]
    fn descendants_belong_however_deep_and_strangers_do_not() {
        let rows = [
            INIT,
            SHELL,
            OURSELVES,
            (20, US, 20, 5, false),
            (21, 20, 21, 21, false),
            (22, 21, 21, 21, false),
            (30, US, 30, 5, false),
            (40, 5, 40, 5, false),
        ];
        assert_eq!(found(&rows, &[(20, 100)], &[]), [20, 21, 22]);
    }

    #[test]
    fn a_recycled_pid_is_a_stranger_and_so_are_its_children() {
        let rows = [
            INIT,
            SHELL,
            OURSELVES,
            (20, 5, 20, 5, false),
            (21, 20, 20, 5, false),
        ];
        assert_eq!(found(&rows, &[(20, 99)], &[]), [0_i32; 0]);
    }

    #[test]
    fn a_marked_orphan_and_its_unmarked_child_belong() {
        let rows = [
            INIT,
            SHELL,
            OURSELVES,
            (21, 1, 21, 21, false),
            (22, 21, 22, 22, false),
        ];
        assert_eq!(found(&rows, &[(20, 100)], &[21]), [21, 22]);
    }

    #[test]
    fn the_group_of_a_dead_but_uncollected_root_belongs() {
        let rows = [
            INIT,
            SHELL,
            OURSELVES,
            (20, US, 20, 5, true),
            (21, 1, 20, 5, false),
        ];
        assert_eq!(found(&rows, &[(20, 100)], &[]), [21]);
    }

    #[test]
    fn an_orphan_of_a_fallen_session_leader_belongs_only_when_it_came_to_us() {
        let rows = [
            INIT,
            SHELL,
            OURSELVES,
            (21, US, 21, 20, false),
            (22, 1, 22, 20, false),
        ];
        assert_eq!(found(&rows, &[(20, 100)], &[]), [21]);
    }

    #[test]
    fn neither_we_nor_our_ancestors_ever_belong() {
        // A Greenroom that was itself started by a marked process.
        let rows = [INIT, SHELL, OURSELVES, (20, US, 20, 5, false)];
        assert_eq!(found(&rows, &[(5, 100)], &[1, 5, US]), [0_i32; 0]);
    }
}
