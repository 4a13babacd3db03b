use serde_json::json;

use super::*;

const PAGE: &str = "- heading \"News\" [level=1] [ref=e1]\n- link \"One\" [ref=e2]";

fn said(text: &str) -> Answer {
    Answer {
        content: vec![text_block(text)],
        ..Answer::default()
    }
}

fn page_answer() -> Answer {
    said(&format!(
        "### Ran Playwright code\nawait page.goto('/');\n### Page\n- Page URL: http://a/\n\
         ### Snapshot\n```yaml\n{PAGE}\n```"
    ))
}

fn shaped(mut answer: Answer, mode: Mode, inline_max: usize, attachments: &[Attachment]) -> Answer {
    let metadata = Metadata {
        tool: "browser_navigate".to_owned(),
        status: "success",
        has_snapshot: true,
        console_error_count: 2,
        bytes: 77,
        title: Some("News".to_owned()),
        ..Metadata::default()
    };
    let shaping = Shaping {
        rules: Rules { mode, inline_max },
        mode,
        ref_id: "r-1",
        metadata: &metadata,
        snapshot: answer.text().contains(PAGE).then_some(PAGE),
        attachments,
    };
    shape(&mut answer, &shaping);
    answer
}

fn picture(size: u64, block: Option<usize>) -> Attachment {
    Attachment {
        id: format!("sha256-{}", "ab".repeat(32)).parse().unwrap(),
        name: "shot.png".to_owned(),
        mime_type: "image/png".to_owned(),
        size,
        block,
    }
}

#[test]
fn inline_says_what_the_engine_said_however_long() {
    let answer = shaped(page_answer(), Mode::Inline, 1, &[]);
    assert_eq!(answer.text(), page_answer().text());
    assert!(!answer.meta.contains_key("greenroom/metadata"));
}

#[test]
fn auto_leaves_a_short_answer_alone() {
    let answer = shaped(page_answer(), Mode::Auto, 4096, &[]);
    assert_eq!(answer.text(), page_answer().text());
}

#[test]
fn auto_gives_facts_and_an_outline_of_a_long_page_and_keeps_what_is_short() {
    let answer = shaped(page_answer(), Mode::Auto, 100, &[]);
    let text = answer.text();
    for wanted in [
        "### Stored as r-1",
        "- console_error_count: 2",
        "- title: News",
        "await page.goto('/');",
        "### Outline",
        "News",
        "get_content",
    ] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert!(!text.contains("- link \"One\""), "{text}");
    assert!(!text.contains("```"), "{text}");
    assert_eq!(answer.meta["greenroom/metadata"]["bytes"], 77);
}

#[test]
fn auto_shows_how_a_long_text_begins() {
    let answer = shaped(said(&"abc ".repeat(1000)), Mode::Auto, 100, &[]);
    let text = answer.text();
    assert!(text.contains("### Begins with\nabc abc"), "{text}");
    assert!(text.len() < 2000, "{}", text.len());
}

#[test]
fn ref_gives_facts_only() {
    let mut data = page_answer();
    data.structured = Some(json!({"a": 1}));
    let answer = shaped(data, Mode::Ref, 4096, &[]);
    let text = answer.text();
    assert!(text.starts_with("### Stored as r-1"), "{text}");
    assert!(
        !text.contains("Outline") && !text.contains("goto"),
        "{text}"
    );
    assert_eq!(
        answer.structured, None,
        "clients would drop the facts for it"
    );
}

#[test]
fn an_error_is_told_in_every_mode_up_to_the_limit() {
    for mode in [Mode::Ref, Mode::Auto] {
        let mut failed = said(&format!("### Error\nno such button{}", "é".repeat(500)));
        failed.is_error = true;
        let text = shaped(failed, mode, 100, &[]).text();
        assert!(text.starts_with("### Error\nno such button"), "{text}");
        assert!(
            text.contains("### Stored as r-1") && text.len() < 500,
            "{text}"
        );
    }
}

#[test]
fn pictures_become_links_by_size_and_mode_and_files_always() {
    let block = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let is_link = |mode, size| {
        let answer = Answer {
            content: vec![block.clone()],
            ..Answer::default()
        };
        let shaped = shaped(answer, mode, 4096, &[picture(size, Some(0))]);
        let blocks = &shaped.content;
        blocks.iter().any(|block| block["type"] == "resource_link")
    };
    assert!(!is_link(Mode::Inline, 9 << 20));
    assert!(!is_link(Mode::Auto, 1 << 20) && is_link(Mode::Auto, (1 << 20) + 1));
    assert!(is_link(Mode::Ref, 1));
    let with_file = shaped(said("saved"), Mode::Inline, 4096, &[picture(5, None)]);
    assert_eq!(
        with_file.content[1]["uri"],
        format!("blob://sha256-{}", "ab".repeat(32))
    );
}
