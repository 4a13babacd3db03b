//! What the fake upstream is told to do. Tests build a [`Script`] and pass it as JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The whole behaviour. The default one is a well-behaved `@playwright/mcp`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// Where to write down what happens.
    pub journal: Option<PathBuf>,
    /// Variables whose values go into the journal; of the others only the names do.
    pub journal_values_of: Vec<String>,
    /// Which handshake it understands.
    pub era: Era,
    /// Takes the handshake and never answers it.
    pub never_initialize: bool,
    /// What happens before the first message is read.
    pub start: Start,
    /// Carries on after SIGTERM.
    pub ignore_sigterm: bool,
    /// Carries on after the end of stdin.
    pub ignore_eof: bool,
    /// A process that it starts and leaves alone.
    pub grandchild: Option<Grandchild>,
    /// How its tools differ from the real ones.
    pub tools: ToolChanges,
    /// How it writes.
    pub wire: Wire,
    /// How it treats calls: the first rule that fits a call applies.
    pub calls: Vec<CallRule>,
}

impl Script {
    /// The script as the value of `--script`.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("BUG: a script is plain data")
    }

    /// A script with one rule for every call.
    pub fn for_calls(rule: CallRule) -> Self {
        Self {
            calls: vec![rule],
            ..Self::default()
        }
    }
}

/// Which revision of MCP it speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// `initialize`; does not know `server/discover`.
    #[default]
    Old,
    /// 2026-07-28: `server/discover`; does not know `initialize`.
    New,
}

/// What happens before the first message is read, in this order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Waits this long.
    pub delay_ms: u64,
    /// Says this on stderr.
    pub stderr: String,
    /// Writes this many megabytes to stderr.
    pub stderr_flood_mb: usize,
    /// Writes this to stdout, as it is.
    pub noise: Vec<Noise>,
    /// Ends with this code.
    pub exit: Option<u8>,
    /// Ends with a code after a while, whatever happens meanwhile.
    pub exit_later: Option<ExitLater>,
}

/// An end that is set from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitLater {
    /// After how long.
    pub after_ms: u64,
    /// With which code.
    pub code: u8,
}

/// Bytes on stdout that are no message: a banner, a blank line, a byte order mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Written as it is, with its own line ends.
    pub text: String,
    /// How often.
    pub times: usize,
}

impl Noise {
    /// One piece of noise.
    pub fn once(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            times: 1,
        }
    }
}

/// A process in a session of its own that outlives its parent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Grandchild {
    /// It carries on after SIGTERM.
    pub ignore_sigterm: bool,
    /// It starts with an empty environment, so that no marker reaches it.
    pub clear_env: bool,
    /// It ends by itself after this long.
    pub lives_ms: Option<u64>,
}

/// Differences between its tool list and the real one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolChanges {
    /// Old name to new name.
    pub rename: BTreeMap<String, String>,
    /// Tools that are missing.
    pub remove: Vec<String>,
    /// Tools whose input schema is no schema.
    pub break_schema: Vec<String>,
}

/// How messages are written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wire {
    /// Ends lines with CR LF.
    pub crlf: bool,
    /// Writes every message one byte at a time.
    pub one_byte_writes: bool,
    /// Written before every message.
    pub noise_between: Option<Noise>,
}

/// What to do with a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CallRule {
    /// Only calls of this tool.
    pub tool: Option<String>,
    /// Only the n-th call, counted from one over all tools.
    pub nth: Option<u64>,
    /// Waits this long before the reply.
    pub delay_ms: u64,
    /// Writes this many megabytes to stderr before the reply.
    pub stderr_flood_mb: usize,
    /// Sends this request to the client and waits for its answer before the reply.
    pub ask: Option<String>,
    /// Goes on even if the call was cancelled or the browser closed meanwhile.
    pub ignore_cancel: bool,
    /// The reply.
    pub reply: Reply,
}

/// How a call is answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// As the real one would.
    #[default]
    Normal,
    /// Not at all.
    Never,
    /// It ends instead, with this code.
    Exit(u8),
    /// Half a line, then it ends with this code.
    HalfLineThenExit(u8),
    /// Half a line, and never another byte.
    HalfLineThenSilence,
    /// A text of this many megabytes.
    HugeMb(usize),
    /// Under an id that nobody used.
    WrongId,
    /// Twice.
    Twice,
    /// In one write with a notification before it.
    WithNotification,
    /// This text.
    Text(String),
    /// This text, as a failure of the tool.
    Failure(String),
    /// A failure of the protocol.
    RpcError(i64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_survives_the_command_line_and_a_misspelt_one_is_refused() {
        let script = Script {
            grandchild: Some(Grandchild::default()),
            calls: vec![CallRule {
                reply: Reply::HalfLineThenExit(3),
                ..CallRule::default()
            }],
            ..Script::default()
        };
        let back: Script = serde_json::from_str(&script.to_json()).unwrap();
        assert_eq!(back, script);
        assert!(serde_json::from_str::<Script>(r#"{"ignore_sigtrem": true}"#).is_err());
    }
}
