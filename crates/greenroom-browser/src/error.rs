//! Everything that can go wrong below an engine, each with what to do about it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::process::{Exit, ProcessInfo};

/// Why a child process could not be had, or could not be got rid of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The data directory cannot be made or used.
    #[error("cannot use the data directory {path}; check that it exists and belongs to you, or choose another one", path = path.display())]
    DataDirectory {
        /// The directory that was asked for.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The data directory is somebody else's place, or open to everybody.
    #[error("the data directory {path} has mode {mode:o} and holds files that are not Greenroom's; choose a directory of its own, or run: chmod 700 {path}", path = path.display())]
    DataDirectoryExposed {
        /// The directory that was asked for.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },

    /// A file or directory of this run cannot be made or removed.
    #[error("cannot keep {path}; check the free space and the permissions of the data directory", path = path.display())]
    RunDirectory {
        /// The file or directory at fault.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// A profile that is kept cannot be made or used.
    #[error("cannot use the profile directory {path}; check that it and the directory around it belong to you, or set another USER_DATA_DIR", path = path.display())]
    ProfileDirectory {
        /// The profile.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// Somebody else runs a browser with this profile.
    #[error("the profile directory {path} is in use by another instance; stop the other Greenroom, or give this one a profile of its own (USER_DATA_DIR, or another --data-dir)", path = path.display())]
    ProfileInUse {
        /// The profile.
        path: PathBuf,
    },

    /// A browser that is not Greenroom's has this profile open.
    #[error("the profile directory {path} is open in {who}; close that browser, or set another USER_DATA_DIR", path = path.display())]
    ProfileOpen {
        /// The profile.
        path: PathBuf,
        /// The process that has it.
        who: String,
    },

    /// This process cannot be made the one that collects orphans.
    #[error("cannot supervise child processes; Linux 5.4 or newer with /proc mounted is needed")]
    Supervision {
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The task that owned a child was cancelled; the child was killed on its way out.
    #[error(
        "nobody knows how {label} ended: its owner was cancelled; let the runtime outlive its children"
    )]
    Abandoned {
        /// Which child.
        label: String,
    },

    /// The supervisor is closing: nothing new is started.
    #[error("cannot start {label}: Greenroom is shutting down; start it again first")]
    Closing {
        /// What was to be started.
        label: String,
    },

    /// There is no such program.
    #[error("cannot find the program {program} ({searched}); install it, or correct its path", program = program.display())]
    ProgramMissing {
        /// The program as it was asked for.
        program: PathBuf,
        /// Where it was looked for.
        searched: String,
    },

    /// The program's path names a directory.
    #[error("cannot run {path}: it is a directory; give the path of the program in it", path = path.display())]
    ProgramIsDirectory {
        /// The path at fault.
        path: PathBuf,
    },

    /// The program's file may not be executed.
    #[error("cannot run {path}: it is not executable; run: chmod +x {path}", path = path.display())]
    ProgramNotExecutable {
        /// The path at fault.
        path: PathBuf,
    },

    /// The file may be executed, but the system cannot: a foreign format, or a missing interpreter.
    #[error("cannot run {path}: it is not a program for this system, or the interpreter in its first line is missing; reinstall it", path = path.display())]
    ProgramNotRunnable {
        /// The path at fault.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The working directory of the child does not exist.
    #[error("cannot start a program in {path}: there is no such directory; create it, or correct the path", path = path.display())]
    WorkingDirectory {
        /// The directory at fault.
        path: PathBuf,
    },

    /// A descriptor was to be passed under a number that is not for passing.
    #[error("cannot pass a descriptor as number {target}; use a number from 3 to 9, each once")]
    PassedDescriptor {
        /// The number asked for.
        target: i32,
    },

    /// The limit of processes is reached.
    #[error("cannot start {program}: the limit of processes is reached; use fewer instances, or raise it (ulimit -u, TasksMax, pids.max)", program = program.display())]
    TooManyProcesses {
        /// What was to be started.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The limit of open files is reached.
    #[error("cannot start {program}: the limit of open files is reached; use fewer instances, or raise it (ulimit -n, LimitNOFILE)", program = program.display())]
    TooManyOpenFiles {
        /// What was to be started.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// There is no memory for another process.
    #[error("cannot start {program}: the machine is out of memory; use fewer instances, or give it more", program = program.display())]
    OutOfMemory {
        /// What was to be started.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The system refused for another reason.
    #[error("cannot start {program}; run it by hand to see why", program = program.display())]
    Spawn {
        /// What was to be started.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },

    /// The child started, but did not get ready. Its tree is gone.
    #[error("{label} did not get ready: {why} while waiting for {stage}; {exit}; run {program} by hand to see why", program = program.display())]
    NotReady {
        /// Which child.
        label: String,
        /// What was run.
        program: PathBuf,
        /// What was being waited for.
        stage: &'static str,
        /// What ended the wait.
        why: Unready,
        /// How the child ended, with its last words.
        exit: Box<Exit>,
    },

    /// Some processes are still there after SIGKILL.
    #[error(
        "{label} is stopped, but these processes outlived SIGKILL: {}; end them by hand (kill -9), or reboot if they hang in the kernel",
        list(survivors)
    )]
    Survivors {
        /// Which child, or which run.
        label: String,
        /// Who is left.
        survivors: Vec<ProcessInfo>,
    },
}

/// What ended the wait for a child to get ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    /// The child ended first.
    Exited,
    /// The time was up.
    Deadline(Duration),
    /// The engine gave up, for this reason.
    Failed(String),
}

impl std::fmt::Display for Unready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited => f.write_str("it ended"),
            Self::Deadline(after) => write!(f, "{} ms passed", after.as_millis()),
            Self::Failed(reason) => write!(f, "it failed ({reason})"),
        }
    }
}

impl Error {
    /// Whether the same start may succeed later without anyone changing anything.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::TooManyProcesses { .. }
            | Self::TooManyOpenFiles { .. }
            | Self::OutOfMemory { .. }
            | Self::Spawn { .. }
            | Self::NotReady { .. }
            | Self::ProfileInUse { .. }
            | Self::ProfileOpen { .. } => true,
            Self::DataDirectory { .. }
            | Self::DataDirectoryExposed { .. }
            | Self::RunDirectory { .. }
            | Self::ProfileDirectory { .. }
            | Self::Supervision { .. }
            | Self::Abandoned { .. }
            | Self::Closing { .. }
            | Self::ProgramMissing { .. }
            | Self::ProgramIsDirectory { .. }
            | Self::ProgramNotExecutable { .. }
            | Self::ProgramNotRunnable { .. }
            | Self::WorkingDirectory { .. }
            | Self::PassedDescriptor { .. }
            | Self::Survivors { .. } => false,
        }
    }
}

fn list(processes: &[ProcessInfo]) -> String {
    let names: Vec<String> = processes.iter().map(ToString::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn io() -> io::Error {
        io::Error::from(io::ErrorKind::Other)
    }

    #[test]
    fn only_shortages_failed_starts_and_what_others_hold_are_worth_trying_again() {
        let path = || PathBuf::from("/opt/x");
        let table = [
            (
                Error::TooManyProcesses {
                    program: path(),
                    source: io(),
                },
                true,
            ),
            (
                Error::TooManyOpenFiles {
                    program: path(),
                    source: io(),
                },
                true,
            ),
            (
                Error::OutOfMemory {
                    program: path(),
                    source: io(),
                },
                true,
            ),
            (
                Error::Spawn {
                    program: path(),
                    source: io(),
                },
                true,
            ),
            (
                Error::ProgramMissing {
                    program: path(),
                    searched: String::new(),
                },
                false,
            ),
            (Error::ProfileInUse { path: path() }, true),
            (
                Error::ProfileDirectory {
                    path: path(),
                    source: io(),
                },
                false,
            ),
            (Error::ProgramIsDirectory { path: path() }, false),
            (Error::ProgramNotExecutable { path: path() }, false),
            (
                Error::ProgramNotRunnable {
                    path: path(),
                    source: io(),
                },
                false,
            ),
            (Error::WorkingDirectory { path: path() }, false),
            (Error::PassedDescriptor { target: 1 }, false),
            (Error::Closing { label: "a".into() }, false),
            (
                Error::DataDirectory {
                    path: path(),
                    source: io(),
                },
                false,
            ),
        ];
        for (error, expected) in table {
            assert_eq!(error.is_retryable(), expected, "{error}");
        }
    }

    #[test]
    fn messages_name_the_path_and_end_with_the_remedy() {
        let error = Error::ProgramNotExecutable {
            path: "/opt/x".into(),
        };
        assert_eq!(
            error.to_string(),
            "cannot run /opt/x: it is not executable; run: chmod +x /opt/x"
        );
    }
}
