use std::path::PathBuf;
use std::time::Duration;

use greenroom_testkit::fake_upstream;
use greenroom_testkit::upstream::{Entry, Script, read_journal};

use super::Setup;

impl Setup {
    /// Runs a fake upstream with this script in a pool (`_P`) or in one instance (`_P__1`).
    /// What it sees and does is in its journal.
    pub fn upstream(self, level: &str, script: Script) -> Self {
        let script = Script {
            journal: Some(self.journal_file(level)),
            ..script
        };
        let file = self.data_dir.with_file_name(format!("{level}.script.json"));
        std::fs::write(&file, script.to_json()).unwrap();
        let command = format!(
            "'{}' --script '@{}'",
            fake_upstream().display(),
            file.display()
        );
        self.set(&format!("{level}_ENGINE"), "playwright")
            .set(&format!("{level}_UPSTREAM_COMMAND"), &command)
    }

    /// What the fake upstreams of this level have written down so far.
    pub fn journal(&self, level: &str) -> Vec<Entry> {
        read_journal(&self.journal_file(level))
    }

    /// Waits until the fake upstream of this level has been called with this tool.
    pub async fn called(&self, level: &str, tool: &str) {
        let is_it = |entry: &Entry| matches!(entry, Entry::Received { message } if message["params"]["name"] == tool);
        let waiting = async {
            while !self.journal(level).iter().any(is_it) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let in_time = tokio::time::timeout(Duration::from_secs(30), waiting).await;
        assert!(in_time.is_ok(), "nobody called {tool}");
    }

    /// How often an upstream of this level was started.
    pub fn starts(&self, level: &str) -> usize {
        let started = |entry: &&Entry| matches!(entry, Entry::Started { .. });
        self.journal(level).iter().filter(started).count()
    }

    fn journal_file(&self, level: &str) -> PathBuf {
        self.data_dir.with_file_name(format!("{level}.journal"))
    }
}
