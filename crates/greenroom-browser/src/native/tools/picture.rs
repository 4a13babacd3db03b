//! `browser_take_screenshot` and `browser_pdf_save`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::literal::options;
use super::work::Work;
use crate::native::actions::{self, JPEG_QUALITY, LONGEST, Subject, Taken};
use crate::native::answer::{Answer, name_or};
use crate::native::page::{Element, Page, ToolError};
use crate::native::protocol::page::ImageFormat;

pub(super) async fn screenshot(
    work: &Work,
    arguments: &Arguments<'_>,
) -> Result<Answer, ToolError> {
    let (format, kind) = format_of(arguments)?;
    let scale = scale_of(arguments)?;
    let (target, is_full) = (arguments.text("target"), arguments.flag("fullPage"));
    if target.is_some() && is_full {
        return Err(ToolError::Argument(
            "fullPage cannot be used with element screenshots. Leave out target or fullPage."
                .to_owned(),
        ));
    }
    let page = work.page().await?;
    let (taken, on) = take(work, &page, target, is_full, format).await?;
    let label = match target {
        Some(_) => arguments.text("element").unwrap_or("element"),
        None if is_full => "full page",
        None => "viewport",
    };
    let prefix = if target.is_some() { "element" } else { "page" };
    let filename = arguments.text("filename");
    let name = name_or(filename, prefix, kind);
    let mut members = json!({"path": name, "scale": scale, "type": kind});
    if format == ImageFormat::Jpeg {
        members["quality"] = JPEG_QUALITY.into();
    }
    if let Some(asked) = arguments.value("fullPage") {
        members["fullPage"] = asked.clone();
    }
    let answer = Answer::default()
        .ran(format!("// Screenshot {label} and save it as {name}"))
        .ran(format!("await {on}.screenshot({});", written(members)));
    Ok(show(answer, taken, format, label, (filename, &name)))
}

/// Takes the picture, and says what of in Playwright's words.
async fn take(
    work: &Work,
    page: &Page,
    target: Option<&str>,
    is_full: bool,
    format: ImageFormat,
) -> Result<(Taken, String), ToolError> {
    let Some(target) = target else {
        let subject = match is_full {
            true => Subject::FullPage,
            false => Subject::Viewport,
        };
        let taken = actions::screenshot(page, subject, format, work.deadline).await?;
        return Ok((taken, "page".to_owned()));
    };
    let element = page.find(target, work.deadline).await?;
    let taking = async |element: &Element| {
        let locator = element.describe(work.deadline).await?.locator;
        let subject = Subject::Element(element);
        let taken = actions::screenshot(page, subject, format, work.deadline).await?;
        Ok((taken, format!("page.{locator}")))
    };
    let taken = taking(&element).await;
    page.release_elements();
    taken
}

/// Adds the picture: as a file where it is to have a name, else for the agent to see.
fn show(
    answer: Answer,
    taken: Taken,
    format: ImageFormat,
    label: &str,
    (filename, name): (Option<&str>, &str),
) -> Answer {
    let title = format!("Screenshot of {label}");
    let mut answer = match filename {
        Some(_) => answer.file(&title, name, decoded(&taken.data)),
        None => answer.result(format!("- {title}: {name}")),
    };
    if let Some((width, height)) = taken.cut_from {
        answer = answer.result(format!(
            "- Note: all of it is {width} x {height} pixels, and a picture shows no more than {LONGEST} of a side: the rest is cut off. Take a picture of an element further on with target, or scroll there and take one of the viewport."
        ));
    }
    if filename.is_none() {
        answer.content.push(actions::image(taken.data, format));
    }
    answer
}

/// The format that is wanted: as said, else as the name of the file says, else exact.
fn format_of(arguments: &Arguments<'_>) -> Result<(ImageFormat, &'static str), ToolError> {
    let name = arguments.text("filename").unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let kind = match arguments.text("type") {
        Some(kind) => kind.to_owned(),
        None => ending.to_ascii_lowercase(),
    };
    match (kind.as_str(), arguments.text("type")) {
        ("png", _) => Ok((ImageFormat::Png, "png")),
        ("jpeg", _) | ("jpg", None) => Ok((ImageFormat::Jpeg, "jpeg")),
        ("webp", _) => Ok((ImageFormat::Webp, "webp")),
        (_, None) => Ok((ImageFormat::Png, "png")),
        (_, Some(_)) => Err(arguments.missing("type", "png, jpeg or webp")),
    }
}

/// Which pixels are meant. Pages are shown with one pixel of the device to each of their own, so
/// that both kinds give the same picture.
fn scale_of<'a>(arguments: &Arguments<'a>) -> Result<&'a str, ToolError> {
    match arguments.text("scale").unwrap_or("css") {
        scale @ ("css" | "device") => Ok(scale),
        _ => Err(arguments.missing("scale", "css or device")),
    }
}

pub(super) async fn pdf(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    let printed = actions::pdf(&page, work.deadline).await?;
    let name = name_or(arguments.text("filename"), "page", "pdf");
    let answer = Answer::default().file("Page as pdf", &name, decoded(&printed));
    Ok(answer.ran(format!(
        "await page.pdf({});",
        written(json!({"path": name}))
    )))
}

fn decoded(data: &str) -> Bytes {
    STANDARD.decode(data).map(Bytes::from).unwrap_or_default()
}

fn written(members: Value) -> String {
    let members: Map<String, Value> = serde_json::from_value(members).unwrap_or_default();
    options(&members)
}
