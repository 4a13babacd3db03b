//! Whether Chromium's own sandbox can run on this machine.
//!
//! Chromium refuses its sandbox when it runs as root, and needs either unprivileged user namespaces
//! or its setuid helper otherwise. The engines turn the sandbox off only where it cannot work, and
//! the reason is shown to people: a browser without its sandbox is a decision, not a detail.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Debian's and Chrome's setuid helpers, used where user namespaces are not allowed.
const HELPERS: &[&str] = &[
    "usr/lib/chromium/chrome-sandbox",
    "opt/google/chrome/chrome-sandbox",
    "opt/microsoft/msedge/msedge-sandbox",
];

/// The answer, with the reason and the remedy where it is no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// The sandbox works.
    Available,
    /// It cannot work here.
    Unavailable {
        /// Why.
        reason: &'static str,
        /// What would make it work.
        fix: &'static str,
    },
}

impl Sandbox {
    /// The answer for this process on this machine.
    pub fn detect() -> Self {
        Self::judge(rustix::process::geteuid().is_root(), Path::new("/"))
    }

    /// Whether browsers can run with the sandbox on.
    pub fn is_available(&self) -> bool {
        matches!(self, Self::Available)
    }

    fn judge(is_root: bool, root: &Path) -> Self {
        if is_root {
            return Self::Unavailable {
                reason: "Chromium refuses its sandbox when it runs as root",
                fix: "run greenroom as an ordinary user",
            };
        }
        if HELPERS
            .iter()
            .any(|helper| is_setuid_root(&root.join(helper)))
        {
            return Self::Available;
        }
        let setting = |name: &str| {
            let text = std::fs::read_to_string(root.join("proc/sys").join(name)).ok()?;
            text.trim().parse::<u64>().ok()
        };
        if setting("user/max_user_namespaces") == Some(0)
            || setting("kernel/unprivileged_userns_clone") == Some(0)
        {
            return Self::Unavailable {
                reason: "this kernel does not allow unprivileged user namespaces",
                fix: "apt-get install chromium-sandbox, or sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000",
            };
        }
        if setting("kernel/apparmor_restrict_unprivileged_userns") == Some(1) {
            return Self::Unavailable {
                reason: "AppArmor restricts unprivileged user namespaces",
                fix: "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or install a browser with an AppArmor profile",
            };
        }
        Self::Available
    }
}

fn is_setuid_root(file: &Path) -> bool {
    std::fs::metadata(file)
        .is_ok_and(|meta| meta.uid() == 0 && meta.permissions().mode() & 0o4000 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(settings: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, value) in settings {
            let file = dir.path().join("proc/sys").join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, format!("{value}\n")).unwrap();
        }
        dir
    }

    fn reason(is_root: bool, settings: &[(&str, &str)]) -> Option<&'static str> {
        match Sandbox::judge(is_root, machine(settings).path()) {
            Sandbox::Available => None,
            Sandbox::Unavailable { reason, .. } => Some(reason),
        }
    }

    #[test]
    fn each_obstacle_is_told_apart() {
        let free = [("user/max_user_namespaces", "95000")];
        assert_eq!(reason(false, &free), None);
        assert!(reason(true, &free).unwrap().contains("root"));
        let none = [("user/max_user_namespaces", "0")];
        assert!(reason(false, &none).unwrap().contains("kernel"));
        let debian = [("kernel/unprivileged_userns_clone", "0")];
        assert!(reason(false, &debian).unwrap().contains("kernel"));
        let ubuntu = [("kernel/apparmor_restrict_unprivileged_userns", "1")];
        assert!(reason(false, &ubuntu).unwrap().contains("AppArmor"));
    }
}
