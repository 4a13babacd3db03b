//! A process that has nothing to do with Greenroom, and must be left alone by it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A sleeping process, killed when dropped.
#[derive(Debug)]
pub struct Bystander(Child);

impl Bystander {
    /// Starts one with these variables and no others.
    pub fn start(env: &[(&str, &str)]) -> Self {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo ready; exec /bin/sleep 1000"]);
        command.env_clear().envs(env.iter().copied());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[expect(clippy::disallowed_methods, reason = "its owner is this value")]
        let mut child = command.spawn().expect("a shell can be started");
        // A process that is still on its way to its program holds every descriptor of this one,
        // locks included; one that speaks has let go of them.
        let stdout = child.stdout.take().map(BufReader::new);
        let said = stdout.map(|mut out| out.read_line(&mut String::new()));
        assert!(
            matches!(said, Some(Ok(6))),
            "the shell says that it is ready"
        );
        Self(child)
    }

    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.0.id().try_into().expect("BUG: pids are small")
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
