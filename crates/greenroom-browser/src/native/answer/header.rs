//! Where a page stands, and which tabs there are.

use std::collections::HashMap;

use crate::call::{PageInfo, TabInfo};

use crate::native::deadline::Deadline;
use crate::native::page::Page;
use crate::native::protocol::TargetId;

/// What was last said of each tab, so that it is said again only when it has changed.
#[derive(Debug, Default)]
pub(crate) struct Headers(HashMap<TargetId, PageInfo>);

impl Headers {
    /// Remembers where tabs stand. Says whether anything is new.
    pub(crate) fn note(&mut self, tabs: &[(TargetId, PageInfo)]) -> bool {
        let known: HashMap<_, _> = tabs.iter().cloned().collect();
        let blank = PageInfo {
            url: "about:blank".to_owned(),
            ..PageInfo::default()
        };
        let is_other = |(target, now): &(TargetId, PageInfo)| match self.0.get(target) {
            Some(before) => before != now,
            // The tab that a world begins with is news only when something is in it.
            None => !self.0.is_empty() || *now != blank,
        };
        let changed = tabs.len() < self.0.len() || tabs.iter().any(is_other);
        self.0 = known;
        changed
    }
}

/// Where a page stands. While a dialog is open its title is not to be had in time; then the last
/// one is as good as any.
pub(super) async fn look(page: &Page, deadline: Deadline) -> PageInfo {
    let title = if page.is_crashed() {
        String::new()
    } else {
        page.title(deadline).await.unwrap_or_default()
    };
    let url = shorten(page.url());
    page.read(|books| {
        let (_, console_errors, console_warnings) = books.journal.console.counts();
        let status = books.journal.status.as_ref().map(|(status, _)| *status);
        PageInfo {
            // The history calls a page without a title by its address.
            title: if is_address(&title, &url) {
                String::new()
            } else {
                title
            },
            http_status: status.filter(|status| !(200..300).contains(status)),
            crashed: books.is_crashed,
            console_errors,
            console_warnings,
            url,
        }
    })
}

/// An address may hold a whole document; its beginning says which it is.
fn shorten(mut url: String) -> String {
    const LONGEST: usize = 4096;
    if url.len() > LONGEST {
        url.truncate(url.floor_char_boundary(LONGEST));
        url.push('…');
    }
    url
}

fn is_address(title: &str, url: &str) -> bool {
    let plain = |text: &str| {
        let text = text.split_once("://").map_or(text, |(_, rest)| rest);
        text.trim_end_matches('/').to_owned()
    };
    !title.is_empty() && plain(title) == plain(url)
}

/// The lines of the section `Page`.
pub(super) fn lines(page: &PageInfo, status_text: &str) -> Vec<String> {
    let mut lines = vec![format!("- Page URL: {}", page.url)];
    if !page.title.is_empty() {
        lines.push(format!("- Page Title: {}", page.title));
    }
    if page.crashed {
        lines.push("- Page status: crashed".to_owned());
    }
    if let Some(status) = page.http_status {
        lines.push(
            format!("- HTTP status: {status} {status_text}")
                .trim_end()
                .to_owned(),
        );
    }
    let (errors, warnings) = (page.console_errors, page.console_warnings);
    if errors > 0 || warnings > 0 {
        lines.push(format!("- Console: {errors} errors, {warnings} warnings"));
    }
    lines
}

/// The tabs as data.
pub(super) fn tabs(pages: &[(TargetId, PageInfo)], current: Option<&TargetId>) -> Vec<TabInfo> {
    let numbered = pages.iter().enumerate();
    let tab = |(index, (target, page)): (usize, &(TargetId, PageInfo))| TabInfo {
        index,
        current: Some(target) == current,
        title: page.title.clone(),
        url: page.url.clone(),
        crashed: page.crashed,
    };
    numbered.map(tab).collect()
}

/// The tabs as agents read them.
pub(crate) fn list_tabs(tabs: &[TabInfo]) -> Vec<String> {
    if tabs.is_empty() {
        return vec!["No open tabs. Navigate to a URL to create one.".to_owned()];
    }
    let line = |tab: &TabInfo| {
        let current = if tab.current { " (current)" } else { "" };
        let crashed = if tab.crashed { " [crashed]" } else { "" };
        format!(
            "- {}:{current} [{}]({}){crashed}",
            tab.index, tab.title, tab.url
        )
    };
    tabs.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, title: &str) -> PageInfo {
        PageInfo {
            url: url.to_owned(),
            title: title.to_owned(),
            ..PageInfo::default()
        }
    }

    #[test]
    fn a_page_tells_only_what_there_is_to_tell() {
        assert_eq!(
            lines(&page("http://a/", ""), "OK"),
            ["- Page URL: http://a/"]
        );
        let full = PageInfo {
            http_status: Some(404),
            console_errors: 2,
            crashed: true,
            ..page("http://a/", "T")
        };
        assert_eq!(
            lines(&full, "Not Found").join("\n"),
            "- Page URL: http://a/\n- Page Title: T\n- Page status: crashed\n\
             - HTTP status: 404 Not Found\n- Console: 2 errors, 0 warnings"
        );
    }

    #[test]
    fn news_are_told_once() {
        let mut headers = Headers::default();
        let (a, b) = (TargetId::from("a"), TargetId::from("b"));
        assert!(!headers.note(&[(a.clone(), page("about:blank", ""))]));
        assert!(headers.note(&[(a.clone(), page("http://a/", "A"))]));
        assert!(!headers.note(&[(a.clone(), page("http://a/", "A"))]));
        let two = [
            (a.clone(), page("http://a/", "A")),
            (b, page("about:blank", "")),
        ];
        assert!(headers.note(&two) && !headers.note(&two));
        assert!(headers.note(&two[..1]));
    }

    #[test]
    fn tabs_read_as_upstreams() {
        assert!(list_tabs(&[])[0].starts_with("No open tabs"));
        let two = [
            (TargetId::from("a"), page("http://a/", "A")),
            (TargetId::from("b"), page("http://b/", "")),
        ];
        let listed = list_tabs(&tabs(&two, Some(&"b".into())));
        assert_eq!(
            listed,
            ["- 0: [A](http://a/)", "- 1: (current) [](http://b/)"]
        );
    }

    #[test]
    fn an_address_in_the_place_of_a_title_is_none() {
        assert!(is_address("127.0.0.1:8/x", "http://127.0.0.1:8/x"));
        assert!(is_address("about:blank", "about:blank"));
        assert!(!is_address("Shop", "http://shop/"));
        assert!(!is_address("", "http://shop/"));
    }
}
