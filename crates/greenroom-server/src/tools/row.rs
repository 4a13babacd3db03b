//! The vocabulary in which tools are described: plain constant data, no behaviour
//! beyond small questions that every reader of a row asks.

mod param;

pub use param::{Kind, Literal, Need, Param, Rule};

/// One tool as clients see it and as Greenroom treats it.
#[derive(Debug)]
pub struct Tool {
    /// The name in `tools/list` and `tools/call`.
    pub name: &'static str,
    /// A short heading for the manual. The list leaves it out: names are readable, and
    /// headings would be its twentieth part.
    pub title: &'static str,
    /// What the tool does, in as few words as an agent needs.
    pub description: &'static str,
    /// The arguments, in the order in which they are shown. The addressing arguments
    /// are not among them: see [`Tool::is_addressed`].
    pub params: &'static [Param],
    /// Conditions between arguments that a portable schema cannot express.
    pub rules: &'static [Rule],
    /// Whether a crash in mid-call leaves the outcome unknown.
    pub effect: Effect,
    /// Whether it may undo or overwrite something.
    pub destructive: bool,
    /// Whether it reaches beyond Greenroom, to the web.
    pub open_world: bool,
    /// Whether it is offered only where a pool allows it, because it is as good as a
    /// shell on the machine.
    pub guarded: bool,
    /// Who answers it.
    pub handler: Handler,
    /// The smallest arguments object that is valid, as JSON. Error messages end with it.
    pub example: &'static str,
    /// The fields of the structured answer, where that is the whole answer.
    pub output: Option<&'static [Param]>,
}

impl Tool {
    /// Whether the call may say where it runs: `session_id`, `browser_pool`, `browser_instance`.
    #[must_use]
    pub fn is_addressed(&self) -> bool {
        !matches!(self.handler, Handler::Own(_))
    }
}

/// What a call leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only looks. Asking again after a crash is always safe.
    Reads,
    /// It does something. After a crash in mid-call nobody knows whether it happened.
    Acts,
}

/// Who answers a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handler {
    /// An engine, under a lease.
    Browser,
    /// Engines again: many calls under one lease.
    Bulk,
    /// Greenroom itself.
    Own(OwnTool),
}

impl OwnTool {
    /// Whether it reads the record. Such a call is not recorded itself: its answer is there already.
    #[must_use]
    pub fn reads_the_record(self) -> bool {
        matches!(self, Self::GetContent | Self::GetConsoleContent)
    }
}

/// The tools that Greenroom answers itself, without a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnTool {
    /// `browser_pool_status`
    PoolStatus,
    /// `create_new_session`
    CreateSession,
    /// `list_sessions`
    ListSessions,
    /// `close_session`
    CloseSession,
    /// `get_content`
    GetContent,
    /// `get_console_content`
    GetConsoleContent,
}
