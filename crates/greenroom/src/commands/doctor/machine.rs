//! What the machine itself offers: sandbox, shared memory, file limit, control groups.

use std::path::Path;

use greenroom_browser::sandbox::Sandbox;
use rustix::process::{Resource, getrlimit};

use super::check::Check;

/// A tab of an ordinary site needs some tens of megabytes of shared memory.
const SHM_WANTED: u64 = 256 << 20;
/// A browser with a page holds about 150 descriptors, its driver 50 and each client one or two.
const FILES_WANTED: u64 = 4096;

pub(super) fn sandbox(wanted: bool) -> Check {
    const NAME: &str = "sandbox";
    if !wanted {
        return Check::warning(
            NAME,
            "turned off by SANDBOX=false: a page that breaks out of its renderer owns this account",
            "unset SANDBOX",
        );
    }
    match Sandbox::detect() {
        Sandbox::Available => Check::ok(NAME, "Chromium's sandbox works here"),
        Sandbox::Unavailable { reason, fix } => {
            Check::warning(NAME, format!("{reason}: browsers run without it"), fix)
        }
    }
}

pub(super) fn shared_memory() -> Check {
    const NAME: &str = "/dev/shm";
    let Ok(stat) = rustix::fs::statvfs("/dev/shm") else {
        return Check::warning(
            NAME,
            "missing: browsers put shared memory into their temp directory, which is slower",
            "mount -t tmpfs -o size=1g tmpfs /dev/shm",
        );
    };
    let size = stat.f_blocks * stat.f_frsize;
    let detail = format!("{} MB", size >> 20);
    if size < SHM_WANTED {
        return Check::warning(
            NAME,
            format!("{detail}: pages crash when it runs full"),
            "mount -o remount,size=1g /dev/shm, or docker run --shm-size=1g",
        );
    }
    Check::ok(NAME, detail)
}

pub(super) fn file_limit() -> Check {
    const NAME: &str = "file limit";
    let limit = getrlimit(Resource::Nofile);
    let show = |limit: Option<u64>| limit.map_or("unlimited".into(), |limit| limit.to_string());
    let detail = format!("{} (up to {})", show(limit.current), show(limit.maximum));
    // The server raises the soft limit to the hard one by itself, so only the hard one matters.
    match limit.maximum {
        Some(maximum) if maximum < FILES_WANTED => Check::warning(
            NAME,
            format!("{detail}: enough for about {} browsers", maximum / 200),
            format!("ulimit -Hn {FILES_WANTED}, or LimitNOFILE={FILES_WANTED} in the service unit"),
        ),
        _ => Check::ok(NAME, detail),
    }
}

pub(super) fn control_group() -> Check {
    judge_control_group(Path::new("/sys/fs/cgroup"), Path::new("/proc/self/cgroup"))
}

fn judge_control_group(mount: &Path, own: &Path) -> Check {
    const NAME: &str = "cgroup";
    if !mount.join("cgroup.controllers").exists() {
        return Check::ok(
            NAME,
            "no cgroup v2: memory is watched by measuring, not capped by the kernel",
        );
    }
    let own = std::fs::read_to_string(own).unwrap_or_default();
    let group = own
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .unwrap_or_default();
    let limit = std::fs::read_to_string(mount.join(group).join("memory.max"))
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    match limit {
        Some(bytes) if bytes < 1 << 30 => Check::warning(
            NAME,
            format!(
                "memory capped at {} MB: room for about {} browsers",
                bytes >> 20,
                bytes / (300 << 20)
            ),
            "raise the memory limit of this container or service to 1 GB or more",
        ),
        Some(bytes) => Check::ok(NAME, format!("v2, memory capped at {} MB", bytes >> 20)),
        None => Check::ok(NAME, "v2, memory not capped"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Verdict;
    use super::*;

    fn group(limit: &str) -> Check {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("cgroup.controllers"), "memory").unwrap();
        std::fs::create_dir(dir.path().join("app")).unwrap();
        std::fs::write(dir.path().join("app/memory.max"), limit).unwrap();
        let own = dir.path().join("own");
        std::fs::write(&own, "0::/app\n").unwrap();
        judge_control_group(dir.path(), &own)
    }

    #[test]
    fn a_small_memory_cap_is_a_warning_and_none_is_fine() {
        assert_eq!(group("536870912\n").status, Verdict::Warning);
        assert_eq!(group("8589934592\n").status, Verdict::Ok);
        assert_eq!(group("max\n").detail, "v2, memory not capped");
    }
}
