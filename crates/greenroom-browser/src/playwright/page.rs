//! What the sections `Page` and `Open tabs` say.

use crate::call::{PageInfo, TabInfo};

/// Reads the section `Page`.
pub(super) fn parse_page(body: &str) -> Option<PageInfo> {
    let mut page = PageInfo::default();
    for line in body.lines() {
        let Some((name, value)) = line
            .strip_prefix("- ")
            .and_then(|item| item.split_once(": "))
        else {
            continue;
        };
        match name {
            "Page URL" => page.url = value.to_owned(),
            "Page Title" => page.title = value.to_owned(),
            "Page status" => page.crashed = value == "crashed",
            "HTTP status" => {
                page.http_status = value.split(' ').next().and_then(|code| code.parse().ok());
            }
            "Console" => {
                (page.console_errors, page.console_warnings) = counts(value).unwrap_or_default();
            }
            _ => {}
        }
    }
    (!page.url.is_empty()).then_some(page)
}

/// `1 errors, 2 warnings`
fn counts(value: &str) -> Option<(u64, u64)> {
    let (errors, warnings) = value.split_once(" errors, ")?;
    Some((
        errors.parse().ok()?,
        warnings.strip_suffix(" warnings")?.parse().ok()?,
    ))
}

/// Reads a list of tabs: the section `Open tabs`, or the result of `browser_tabs`.
pub(super) fn parse_tabs(body: &str) -> Vec<TabInfo> {
    body.lines().filter_map(parse_tab).collect()
}

/// `- 1: (current) [Title](address) [crashed]`
fn parse_tab(line: &str) -> Option<TabInfo> {
    let (index, rest) = line.strip_prefix("- ")?.split_once(':')?;
    let index = index.parse().ok()?;
    let (current, rest) = match rest.strip_prefix(" (current)") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (crashed, rest) = match rest.strip_suffix(" [crashed]") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (title, url) = rest
        .strip_prefix(" [")?
        .strip_suffix(')')?
        .rsplit_once("](")?;
    Some(TabInfo {
        index,
        current,
        title: title.to_owned(),
        url: url.to_owned(),
        crashed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_where_it_stands() {
        let page = parse_page(
            "- Page URL: http://h/a: b\n- Page Title: T: x\n- Page status: crashed\n\
             - HTTP status: 404 Not Found\n- 2 webmcp tools available on the page\n\
             - Console: 3 errors, 12 warnings",
        );
        let expected = PageInfo {
            url: "http://h/a: b".into(),
            title: "T: x".into(),
            http_status: Some(404),
            crashed: true,
            console_errors: 3,
            console_warnings: 12,
        };
        assert_eq!(page, Some(expected));
    }

    #[test]
    fn a_page_without_an_address_is_none() {
        assert_eq!(parse_page("- Page Title: T"), None);
        assert_eq!(parse_page(""), None);
        let bare = parse_page("- Page URL: about:blank\n- Console: many").unwrap();
        assert_eq!(
            bare,
            PageInfo {
                url: "about:blank".into(),
                ..PageInfo::default()
            }
        );
    }

    #[test]
    fn tabs_are_listed_with_titles_that_look_like_links() {
        let tabs = parse_tabs(
            "- 0: [T](http://a/)\n- 1: (current) [[x](y)](about:blank)\n- 2: [](http://b/) [crashed]\nwords\n- x",
        );
        let told: Vec<_> = tabs
            .iter()
            .map(|tab| {
                (
                    tab.index,
                    tab.current,
                    tab.title.as_str(),
                    tab.url.as_str(),
                    tab.crashed,
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (0, false, "T", "http://a/", false),
                (1, true, "[x](y)", "about:blank", false),
                (2, false, "", "http://b/", true),
            ]
        );
        assert!(parse_tabs("No open tabs. Navigate to a URL to create one.").is_empty());
    }
}
