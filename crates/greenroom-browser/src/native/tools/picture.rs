//! `browser_take_screenshot` and `browser_pdf_save`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, Subject};
use crate::native::answer::Answer;
use crate::native::page::ToolError;
use crate::native::protocol::page::ImageFormat;

pub(super) async fn screenshot(
    work: &Work,
    arguments: &Arguments<'_>,
) -> Result<Answer, ToolError> {
    let (format, ending) = format_of(arguments)?;
    let page = work.page().await?;
    let element = match arguments.text("target") {
        Some(target) => Some(page.find(target, work.deadline).await?),
        None => None,
    };
    let full = arguments.flag("fullPage");
    let (subject, title, on) = match &element {
        Some(element) => {
            let locator = element.describe(work.deadline).await?.locator;
            (
                Subject::Element(element),
                "element",
                format!("page.{locator}"),
            )
        }
        None if full => (Subject::FullPage, "full page", "page".to_owned()),
        None => (Subject::Viewport, "viewport", "page".to_owned()),
    };
    let taken = actions::screenshot(&page, subject, format, work.deadline).await;
    page.release_elements();
    let whole = if full { "fullPage: true, " } else { "" };
    let name = arguments
        .text("filename")
        .map_or_else(|| format!("page.{ending}"), str::to_owned);
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut answer = Answer::default()
        .result(format!("- Screenshot of {title}: {name}"))
        .ran(format!(
            "await {on}.screenshot({{ {whole}scale: 'css', type: '{ending}' }});"
        ));
    answer.content.push(actions::image(taken?, format));
    Ok(answer)
}

/// The format that is wanted: as said, else as the name of the file says, else exact.
fn format_of(arguments: &Arguments<'_>) -> Result<(ImageFormat, &'static str), ToolError> {
    let name = arguments.text("filename").unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("png", |(_, ending)| ending);
    match arguments.text("type") {
        Some("png") => Ok((ImageFormat::Png, "png")),
        Some("jpeg") => Ok((ImageFormat::Jpeg, "jpeg")),
        Some("webp") => Ok((ImageFormat::Webp, "webp")),
        Some(_) => Err(arguments.missing("type", "png, jpeg or webp")),
        None => Ok(match ending {
            "jpg" | "jpeg" => (ImageFormat::Jpeg, "jpeg"),
            "webp" => (ImageFormat::Webp, "webp"),
            _ => (ImageFormat::Png, "png"),
        }),
    }
}

pub(super) async fn pdf(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let printed = actions::pdf(&page, work.deadline).await?;
    let bytes = STANDARD.decode(printed).unwrap_or_default();
    let name = arguments.text("filename").unwrap_or("page.pdf");
    let answer = Answer::default().file("Page as pdf", name, bytes.into());
    Ok(answer.ran("await page.pdf();"))
}
