//! What to start, and the start itself.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{Mode, OFlags};

use super::descriptors::Passed;
use super::identity::Identity;
use super::{program, reap};
use crate::Error;

/// A program to start, with everything it gets: nothing is inherited.
#[derive(Debug)]
pub struct Spawn {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    cwd: Option<PathBuf>,
    passed: Vec<(OwnedFd, RawFd)>,
    oom_score_adj: Option<i16>,
}

impl Spawn {
    /// A program by its path, or by its name in the PATH given with [`Spawn::env`].
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            passed: Vec::new(),
            oom_score_adj: None,
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds several arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets one variable. The last one of a name counts.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets several variables, such as those of
    /// [`child_environment`](super::child_environment).
    pub fn envs(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.env.extend(variables);
        self
    }

    /// The working directory; the child's own scratch directory unless told.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Hands an open descriptor over under a number from 3 to 9.
    pub fn pass(mut self, fd: OwnedFd, target: RawFd) -> Self {
        self.passed.push((fd, target));
        self
    }

    /// How eagerly the kernel takes this tree when memory runs out: up to 1000, the most eager.
    /// Less than the parent's own value needs a privilege.
    pub fn oom_score_adj(mut self, value: i16) -> Self {
        self.oom_score_adj = Some(value);
        self
    }

    /// Starts the program with pipes for stdin, stdout and stderr.
    ///
    /// `PR_SET_PDEATHSIG` is not used although it looks made for this: it fires when the *thread*
    /// that forked ends, and runtime threads come and go. What a killed Greenroom leaves behind
    /// is swept at the next start instead.
    pub(super) fn start(
        self,
        own: impl IntoIterator<Item = (OsString, OsString)>,
        home: &Path,
    ) -> Result<Started, Error> {
        let path_variable = last_value(&self.env, "PATH");
        let program = program::find(&self.program, path_variable)?;
        let cwd = self.cwd.as_deref().unwrap_or(home).to_owned();
        let mut command = Command::new(&program);
        command
            .args(&self.args)
            .env_clear()
            .envs(self.env)
            .envs(own)
            .current_dir(&cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A signal to Greenroom's group, such as Ctrl-C, must not reach the child: it is
            // stopped in good order by its owner.
            .process_group(0);
        if let Some(value) = self.oom_score_adj {
            set_oom_score_before_exec(&mut command, value);
        }
        let explain = |source| program::explain(program.clone(), &cwd, source);
        let passed = Passed::new(self.passed)?;
        let plugs = passed.into_command(&mut command).map_err(explain)?;
        let (child, id) = reap::hold(&mut command).map_err(explain)?;
        drop(plugs);
        Ok(Started { child, id, program })
    }
}

/// A child that runs and has no owner yet.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) id: Identity,
    pub(super) program: PathBuf,
}

fn last_value<'e>(env: &'e [(OsString, OsString)], name: &str) -> Option<&'e OsStr> {
    let mut values = env.iter().rev().filter(|(key, _)| key == name);
    values.next().map(|(_, value)| value.as_os_str())
}

/// Set in the child itself, before it can fork: its children inherit the value.
#[allow(
    unsafe_code,
    reason = "code between fork and exec is unsafe by its nature"
)]
fn set_oom_score_before_exec(command: &mut Command, value: i16) {
    let text = value.to_string().into_bytes();
    let set = move || write_own_oom_score(&text).or_else(refused_is_fine);
    // SAFETY: the closure opens, writes and closes one file with plain system calls; the path is
    // a constant and the text was made before the fork, so nothing is allocated.
    unsafe { command.pre_exec(set) };
}

fn write_own_oom_score(text: &[u8]) -> rustix::io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open(c"/proc/self/oom_score_adj", flags, Mode::empty())?;
    rustix::io::write(&file, text).map(|_| ())
}

/// A preference that the system does not grant is no reason to go without a browser.
fn refused_is_fine(_: rustix::io::Errno) -> io::Result<()> {
    Ok(())
}
