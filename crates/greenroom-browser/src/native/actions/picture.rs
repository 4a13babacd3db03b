//! Pictures and PDFs.

use crate::call::Content;
use serde::Deserialize;
use serde_json::Map;

use super::aim::{self};
use crate::native::deadline::Deadline;
use crate::native::page::{Element, Page, ToolError};
use crate::native::protocol::page::{
    CaptureScreenshot, Clip, GetLayoutMetrics, ImageFormat, PrintToPdf, Rect,
};

/// The browser draws no picture that is longer than this, in pixels.
pub const LONGEST: f64 = 16_384.0;
/// As upstream has it.
pub const JPEG_QUALITY: u8 = 90;

/// What a picture shows.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// What is in the window.
    Viewport,
    /// The page from top to bottom.
    FullPage,
    /// One element.
    Element(&'a Element),
}

#[derive(Debug, Deserialize)]
struct Box {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// A picture that was taken.
#[derive(Debug)]
pub struct Taken {
    /// In base64.
    pub data: String,
    /// How large all of it would be, in pixels, if the picture could not show all.
    pub cut_from: Option<(f64, f64)>,
}

/// Takes a picture.
pub async fn screenshot(
    page: &Page,
    subject: Subject<'_>,
    format: ImageFormat,
    deadline: Deadline,
) -> Result<Taken, ToolError> {
    let whole = match subject {
        Subject::Viewport => None,
        Subject::FullPage => Some(whole(page, deadline).await?),
        Subject::Element(element) => Some(around(element, deadline).await?),
    };
    let clip = whole.map(|whole| Clip {
        rect: Rect {
            width: whole.width.min(LONGEST),
            height: whole.height.min(LONGEST),
            ..whole
        },
        scale: 1.0,
    });
    let capture = CaptureScreenshot {
        format: Some(format),
        quality: (format == ImageFormat::Jpeg).then_some(JPEG_QUALITY),
        capture_beyond_viewport: clip.map(|_| true),
        clip,
        ..CaptureScreenshot::default()
    };
    let picture = page.session().call_within(deadline.left(), capture).await?;
    let too_large = whole.filter(|whole| whole.width > LONGEST || whole.height > LONGEST);
    Ok(Taken {
        data: picture.data,
        cut_from: too_large.map(|whole| (whole.width, whole.height)),
    })
}

/// A picture as a block of an answer.
pub fn image(data: String, format: ImageFormat) -> Content {
    let mime_type = match format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
        ImageFormat::Webp => "image/webp",
    };
    Content::Image {
        data,
        mime_type: mime_type.to_owned(),
        extra: Map::new(),
    }
}

/// Prints the page to a PDF, on letter paper without margins as upstream does; in base64.
pub async fn pdf(page: &Page, deadline: Deadline) -> Result<String, ToolError> {
    let paper = PrintToPdf {
        paper_width: Some(8.5),
        paper_height: Some(11.0),
        margin_top: Some(0.0),
        margin_bottom: Some(0.0),
        margin_left: Some(0.0),
        margin_right: Some(0.0),
        ..PrintToPdf::default()
    };
    let printed = page.session().call_within(deadline.left(), paper).await;
    let printed = printed.map_err(|error| {
        if error.refused_with("not implemented") || error.refused_with("not available") {
            return ToolError::Argument(
                "Only a browser without a window makes PDFs. Use a pool with HEADLESS=true."
                    .to_owned(),
            );
        }
        error.into()
    })?;
    Ok(printed.data)
}

async fn whole(page: &Page, deadline: Deadline) -> Result<Rect, ToolError> {
    let metrics = page
        .session()
        .call_within(deadline.left(), GetLayoutMetrics {});
    let size = metrics.await?.css_content_size;
    Ok(Rect {
        height: size.height,
        width: size.width,
        ..Rect::default()
    })
}

/// Where an element is in the document, as pictures count.
async fn around(element: &Element, deadline: Deadline) -> Result<Rect, ToolError> {
    aim::wait(element, "screenshot", &["visible", "stable"], deadline).await?;
    element.bring_into_view(deadline).await?;
    let seen: Box = element.ask("box", (), deadline).await?;
    let inside = Rect {
        x: seen.x,
        y: seen.y,
        width: seen.width,
        height: seen.height,
    };
    let area = element.area(inside, deadline).await?;
    let metrics = element
        .page
        .session()
        .call_within(deadline.left(), GetLayoutMetrics {});
    let window = metrics.await?.css_visual_viewport;
    Ok(whole_pixels(Rect {
        x: area.x + window.page_x,
        y: area.y + window.page_y,
        ..area
    }))
}

/// The smallest rectangle of whole pixels around one, so that nothing is cut off at its edges. What
/// is over by less than can be measured does not count.
fn whole_pixels(area: Rect) -> Rect {
    const UNMEASURED: f64 = 1e-3;
    let (x, y) = ((area.x + UNMEASURED).floor(), (area.y + UNMEASURED).floor());
    let right = (area.x + area.width - UNMEASURED).ceil();
    let bottom = (area.y + area.height - UNMEASURED).ceil();
    Rect {
        x,
        y,
        width: (right - x).max(1.0),
        height: (bottom - y).max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_elements_begin_and_end_at_whole_pixels_around_them() {
        let around = |x, y, width, height| {
            let Rect {
                x,
                y,
                width,
                height,
            } = whole_pixels(Rect {
                x,
                y,
                width,
                height,
            });
            [x, y, width, height]
        };
        assert_eq!(around(8.0, 21.4, 300.0, 37.6), [8.0, 21.0, 300.0, 38.0]);
        assert_eq!(around(8.5, 21.4, 300.0, 38.0), [8.0, 21.0, 301.0, 39.0]);
        assert_eq!(around(7.9999, 0.0001, 10.0, 10.0), [8.0, 0.0, 10.0, 10.0]);
        assert_eq!(around(3.0, 3.0, 0.0, 0.0), [3.0, 3.0, 1.0, 1.0]);
    }
}
