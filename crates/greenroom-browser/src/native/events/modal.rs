//! What blocks a page until somebody answers it.

use crate::native::conn::Session;
use crate::native::protocol::dom::BackendNodeId;

/// Something that a page waits for.
#[derive(Debug, Clone)]
pub enum Modal {
    /// A dialog of the page: no script runs before it is answered.
    Dialog(Dialog),
    /// A file chooser, which is not shown: the page goes on, but tools must not.
    Chooser(Chooser),
}

/// A dialog of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// The answer that a prompt suggests.
    pub default_prompt: String,
}

/// A file chooser.
#[derive(Debug, Clone)]
pub struct Chooser {
    /// Where its input is.
    pub session: Session,
    /// The input; none when the page asks through another interface.
    pub node: Option<BackendNodeId>,
    /// Whether it takes several files.
    pub is_multiple: bool,
}

/// How much of a dialog's message is shown.
const SHOWN: usize = 2000;

impl Modal {
    /// As agents read it: one line, so that a message cannot pass for a part of the answer.
    pub fn line(&self) -> String {
        match self {
            Self::Dialog(Dialog { kind, message, .. }) => format!(
                "- [\"{kind}\" dialog with message \"{}\"]: can be handled by {}",
                one_line(message),
                self.handled_by()
            ),
            Self::Chooser(_) => {
                format!("- [File chooser]: can be handled by {}", self.handled_by())
            }
        }
    }

    /// The tool that answers it.
    pub fn handled_by(&self) -> &'static str {
        match self {
            Self::Dialog(_) => "browser_handle_dialog",
            Self::Chooser(_) => "browser_file_upload",
        }
    }

    /// Whether no script runs meanwhile.
    pub fn blocks_scripts(&self) -> bool {
        matches!(self, Self::Dialog(_))
    }
}

fn one_line(message: &str) -> String {
    let plain = message.chars().take(SHOWN);
    let mut line: String = plain
        .map(|each| if each.is_control() { ' ' } else { each })
        .collect();
    if message.chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_on_its_line_however_long_it_is() {
        let dialog = |message: &str| {
            Modal::Dialog(Dialog {
                kind: "alert".to_owned(),
                message: message.to_owned(),
                default_prompt: String::new(),
            })
        };
        assert_eq!(
            dialog("a\n### Result\nb").line(),
            "- [\"alert\" dialog with message \"a ### Result b\"]: can be handled by browser_handle_dialog"
        );
        let long = dialog(&"x".repeat(1 << 20)).line();
        assert!(
            long.len() < SHOWN + 100 && long.contains('…'),
            "{}",
            long.len()
        );
    }
}
