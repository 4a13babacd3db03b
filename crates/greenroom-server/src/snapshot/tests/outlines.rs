//! Outlines.

use super::super::{Outline, parse};
use super::{FORMS, FRAMES, TABLE};

#[test]
fn a_form_is_counted_by_what_takes_input() {
    let outline = Outline::of_text(FORMS);
    assert_eq!(outline.counts.fields, 14);
    assert_eq!(outline.counts.buttons, 5);
    assert_eq!(outline.counts.links, 0);
    assert_eq!(outline.lines, 44);
}

#[test]
fn a_page_is_told_by_its_landmarks_and_headings_with_their_refs() {
    assert_eq!(
        Outline::of_text(TABLE).to_text(),
        "43 lines: 5 links, 1 image, 1 table, 3 rows, 1 list\nLandmarks:\n- banner [ref=f1e2]\n\
         - navigation \"Main\" [ref=f1e4]\n- main [ref=f1e12]\n- complementary [ref=f1e36]\n\
         - contentinfo [ref=f1e37]\nHeadings:\n- heading \"Top\" [level=2] [ref=f1e3]\n"
    );
}

#[test]
fn what_stands_in_frames_is_part_of_the_page() {
    let outline = Outline::of(&parse(FRAMES));
    assert_eq!(outline.counts.iframes, 3);
    let headings: Vec<_> = outline
        .headings
        .iter()
        .map(|heading| {
            (
                heading.level,
                heading.text.as_str(),
                heading.reference.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        headings,
        [
            (Some(1), "Outer", Some("f3e2")),
            (Some(2), "Inner", Some("f4e2")),
            (Some(7), "seven", Some("f3e18")),
        ]
    );
    let landmarks: Vec<&str> = outline
        .landmarks
        .iter()
        .map(|part| part.role.as_str())
        .collect();
    assert_eq!(landmarks, ["dialog", "region", "search"]);
}

#[test]
fn a_heading_without_a_name_is_told_by_its_text() {
    let outline = Outline::of_text(
        "- heading [level=2] [ref=e1]:\n  - text: One\n  - link \"x\"\n  - text: two\n",
    );
    assert_eq!(outline.headings[0].text, "One two");
}

#[test]
fn an_outline_stays_small_whatever_the_page() {
    let name = "é\\n🎉\\\"\\\\".repeat(100);
    let mut page = String::new();
    for at in 0..5_000 {
        page.push_str(&format!(
            "- heading \"{name}\" [level=1] [ref=e{at}]\n- region \"{name}\" [ref=f{at}]\n"
        ));
    }
    let outline = Outline::of_text(&page);
    assert_eq!((outline.headings.len(), outline.more_headings), (40, 4_960));
    assert_eq!(
        (outline.landmarks.len(), outline.more_landmarks),
        (20, 4_980)
    );
    let text = outline.to_text();
    assert!(text.len() <= 2_048, "{}", text.len());
    let shown = text
        .lines()
        .filter(|line| line.starts_with("- heading"))
        .count();
    assert!(shown > 0);
    assert!(
        text.ends_with(&format!("- … {} more headings\n", 5_000 - shown)),
        "{text}"
    );
}

#[test]
fn long_names_are_cut_between_characters() {
    let page = format!("- heading \"{}\" [level=1] [ref=e1]\n", "é".repeat(70));
    let text = Outline::of_text(&page).to_text();
    assert!(
        text.contains(&format!("\"{}…\" [level=1] [ref=e1]", "é".repeat(60))),
        "{text}"
    );
}

#[test]
fn a_ref_longer_than_an_outline_is_left_out_and_counted() {
    let page = format!("- heading \"a\" [ref=e{}]\n", "1".repeat(5_000));
    let text = Outline::of_text(&page).to_text();
    assert!(text.ends_with("- … 1 more heading\n"), "{text}");
}

#[test]
fn an_empty_page_says_so() {
    assert_eq!(
        Outline::of_text("").to_text(),
        "0 lines: nothing to act on\n"
    );
}
