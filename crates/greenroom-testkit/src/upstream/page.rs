//! The only page of a fake browser. It shows where it is and whose it is, so that a test can see
//! which world it is in.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

/// A picture of one transparent pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// A page and where its files go.
#[derive(Debug)]
pub(super) struct Page {
    cwd: PathBuf,
    output_dir: PathBuf,
    url: Option<String>,
    visits: u64,
    files: u64,
}

impl Page {
    pub(super) fn new(cwd: PathBuf, output_dir: PathBuf) -> Self {
        Self {
            cwd,
            output_dir,
            url: None,
            visits: 0,
            files: 0,
        }
    }

    /// The result of a call, in the words of the real program.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        match tool {
            "browser_navigate" => self.navigate(arguments),
            "browser_snapshot" => text(&format!("{}{}", self.heading(), self.inline_snapshot())),
            "browser_evaluate" => text(&self.evaluate(arguments)),
            "browser_tabs" => text(&format!(
                "### Result\n- 0: (current) [Fake]({})",
                self.url()
            )),
            "browser_console_messages" => {
                text("### Result\nTotal messages: 0 (Errors: 0, Warnings: 0)\n")
            }
            "browser_take_screenshot" => self.screenshot(),
            "browser_close" => self.close(),
            _ => text(&self.acted(&format!("// {tool}"))),
        }
    }

    fn navigate(&mut self, arguments: &Value) -> Value {
        let Some(url) = arguments["url"].as_str() else {
            return failure(
                "Invalid arguments for tool \"browser_navigate\":\n✖ Invalid input: expected string, received undefined\n  → at url",
            );
        };
        self.url = Some(url.to_owned());
        self.visits += 1;
        text(&self.acted(&format!("await page.goto('{url}');")))
    }

    fn close(&mut self) -> Value {
        self.url = None;
        self.visits = 0;
        text(
            "### Result\nNo open tabs. Navigate to a URL to create one.\n### Ran Playwright code\n```js\nawait page.close()\n```",
        )
    }

    /// The answer to every script: what the page knows of itself.
    fn evaluate(&self, arguments: &Value) -> String {
        let state = json!({"url": self.url(), "visits": self.visits, "pid": std::process::id()});
        let code = arguments["function"].as_str().unwrap_or_default();
        format!(
            "### Result\n{state}\n### Ran Playwright code\n```js\nawait page.evaluate('{code}');\n```"
        )
    }

    fn screenshot(&mut self) -> Value {
        let file = self.write_file("png", PNG);
        let mut result = text(&format!("### Result\n- [Screenshot of viewport]({file})"));
        if let Some(content) = result["content"].as_array_mut() {
            content.push(json!({"type": "image", "data": PNG, "mimeType": "image/png"}));
        }
        result
    }

    /// What actions answer: the snapshot is in a file, and the text links to it.
    fn acted(&mut self, code: &str) -> String {
        let snapshot = self.snapshot();
        let file = self.write_file("yml", &snapshot);
        let heading = self.heading();
        format!(
            "### Ran Playwright code\n```js\n{code}\n```\n{heading}### Snapshot\n- [Snapshot]({file})"
        )
    }

    fn heading(&self) -> String {
        let title = self.url.as_ref().map_or("", |_| "- Page Title: Fake\n");
        format!("### Page\n- Page URL: {}\n{title}", self.url())
    }

    fn inline_snapshot(&self) -> String {
        format!("### Snapshot\n```yaml\n{}\n```", self.snapshot())
    }

    fn snapshot(&self) -> String {
        let (visits, pid) = (self.visits, std::process::id());
        match &self.url {
            None => String::new(),
            Some(url) => format!(
                "- generic [active] [ref=e1]:\n  - heading \"Fake\" [level=1] [ref=e2]\n  - paragraph [ref=e3]: {url}\n  - paragraph [ref=e4]: visit {visits} in process {pid}\n  - button \"Go\" [ref=e5]"
            ),
        }
    }

    fn url(&self) -> &str {
        self.url.as_deref().unwrap_or("about:blank")
    }

    /// Writes a file and returns its path as the real one links it: relative to where it runs.
    fn write_file(&mut self, extension: &str, content: &str) -> String {
        self.files += 1;
        let path = self
            .output_dir
            .join(format!("page-{:06}.{extension}", self.files));
        let written = fs::create_dir_all(&self.output_dir).and_then(|()| fs::write(&path, content));
        written.expect("the output directory must be writable");
        relative(&path, &self.cwd).display().to_string()
    }
}

/// The way from a directory to a file, both absolute.
fn relative(file: &Path, from: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.into());
    let shared = file.components().zip(from.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

/// A result of one text.
pub(super) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// A failure of the tool, in the words of the real program.
pub(super) fn failure(reason: &str) -> Value {
    let mut result = text(&format!("### Error\n{reason}"));
    result["isError"] = json!(true);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(result: &Value) -> &str {
        result["content"][0]["text"].as_str().unwrap()
    }

    #[test]
    fn navigation_links_to_a_snapshot_that_names_the_page() {
        let cwd = tempfile::tempdir().unwrap();
        let mut page = Page::new(cwd.path().into(), cwd.path().join("out"));
        let result = page.call("browser_navigate", &json!({"url": "http://a/"}));
        let link = said(&result).split("[Snapshot](").nth(1).unwrap();
        let file = cwd.path().join(link.trim_end_matches(')'));
        assert!(link.starts_with("out/page-"), "{link}");
        assert!(fs::read_to_string(file).unwrap().contains(": http://a/\n"));
    }

    #[test]
    fn the_page_is_remembered_until_it_is_closed() {
        let cwd = tempfile::tempdir().unwrap();
        let mut page = Page::new(cwd.path().into(), cwd.path().into());
        page.call("browser_navigate", &json!({"url": "http://a/"}));
        page.call("browser_navigate", &json!({"url": "http://b/"}));
        let result = page.call("browser_snapshot", &json!({}));
        assert!(said(&result).contains("Page URL: http://b/\n"));
        assert!(said(&result).contains("visit 2 in process"));
        page.call("browser_close", &json!({}));
        let result = page.call("browser_snapshot", &json!({}));
        assert_eq!(
            said(&result),
            "### Page\n- Page URL: about:blank\n### Snapshot\n```yaml\n\n```"
        );
    }

    #[test]
    fn links_lead_from_the_working_directory_to_the_file() {
        let table = [
            ("/a/b/out/f", "/a/b", "out/f"),
            ("/a/out/f", "/a/b/c", "../../out/f"),
            ("/f", "/a", "../f"),
        ];
        for (file, from, expected) in table {
            assert_eq!(
                relative(Path::new(file), Path::new(from)),
                Path::new(expected)
            );
        }
    }
}
