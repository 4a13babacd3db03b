//! Files that a page downloads.

use crate::native::protocol::page::{DownloadProgress, DownloadWillBegin};

/// How many downloads of a page are followed at once.
const FOLLOWED: usize = 100;

/// One download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The name of its file in the directory of downloads, which no page can choose.
    pub guid: String,
    /// The name that the page wants, made safe.
    pub name: String,
}

/// What has become of a download since it was last told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadNews {
    /// It has begun.
    Began(Download),
    /// Its file is complete.
    Completed(Download),
    /// It was given up.
    Canceled(Download),
}

/// The downloads of a page.
#[derive(Debug, Default)]
pub struct Downloads {
    running: Vec<Download>,
    news: Vec<DownloadNews>,
    begun: u64,
}

impl Downloads {
    pub(crate) fn began(&mut self, began: &DownloadWillBegin) {
        self.begun += 1;
        if self.running.len() >= FOLLOWED || self.news.len() >= 2 * FOLLOWED {
            return;
        }
        let download = Download {
            guid: began.guid.clone(),
            name: safe_name(&began.suggested_filename),
        };
        self.news.push(DownloadNews::Began(download.clone()));
        self.running.push(download);
    }

    pub(crate) fn went_on(&mut self, progress: &DownloadProgress) {
        let of = |download: &Download| download.guid == progress.guid;
        let (true, Some(at)) = (
            progress.state != "inProgress",
            self.running.iter().position(of),
        ) else {
            return;
        };
        let download = self.running.remove(at);
        self.news.push(if progress.state == "completed" {
            DownloadNews::Completed(download)
        } else {
            DownloadNews::Canceled(download)
        });
    }

    /// How many have ever begun.
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }

    /// What has not been told yet. It is now.
    pub(crate) fn take_news(&mut self) -> Vec<DownloadNews> {
        std::mem::take(&mut self.news)
    }
}

/// A name without directories, control characters and leading dots, and of bounded length.
fn safe_name(wanted: &str) -> String {
    const LONGEST: usize = 200;
    let last = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = last.trim_start_matches('.').chars();
    let name: String = plain
        .map(|each| if each.is_control() { '-' } else { each })
        .take(LONGEST)
        .collect();
    if name.trim().is_empty() {
        "download".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn began(guid: &str, name: &str) -> DownloadWillBegin {
        let began =
            json!({"frameId": "f", "guid": guid, "url": "http://a/", "suggestedFilename": name});
        serde_json::from_value(began).unwrap()
    }

    fn progress(guid: &str, state: &str) -> DownloadProgress {
        let progress = json!({"guid": guid, "totalBytes": 1, "receivedBytes": 1, "state": state});
        serde_json::from_value(progress).unwrap()
    }

    #[test]
    fn each_change_is_told_once() {
        let mut downloads = Downloads::default();
        downloads.began(&began("1", "a.txt"));
        downloads.began(&began("2", "b.txt"));
        downloads.went_on(&progress("1", "inProgress"));
        downloads.went_on(&progress("1", "completed"));
        let names = |news: Vec<DownloadNews>| {
            news.iter()
                .map(|news| format!("{news:?}"))
                .collect::<String>()
        };
        let told = names(downloads.take_news());
        assert_eq!(told.matches("Began").count(), 2);
        assert_eq!(told.matches("Completed").count(), 1);
        downloads.went_on(&progress("1", "completed"));
        downloads.went_on(&progress("2", "canceled"));
        let told = names(downloads.take_news());
        assert!(
            told.starts_with("Canceled") && told.contains("b.txt"),
            "{told}"
        );
        assert!(downloads.take_news().is_empty());
    }

    #[test]
    fn a_name_that_a_page_chose_is_made_safe() {
        let table = [
            ("../../etc/passwd", "passwd"),
            ("..\\x.exe", "x.exe"),
            (".bashrc", "bashrc"),
            ("a\nb", "a-b"),
            ("", "download"),
            ("/", "download"),
            ("...", "download"),
        ];
        for (wanted, expected) in table {
            assert_eq!(safe_name(wanted), expected, "{wanted:?}");
        }
        assert_eq!(safe_name(&"x".repeat(9999)).len(), 200);
    }
}
