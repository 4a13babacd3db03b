//! Pictures and PDFs of pages, and how large pages are.

use serde::Serialize;

use super::super::{Command, Done, Event};
use super::Rect;

/// The part of a page that is on a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct Clip {
    #[serde(flatten)]
    pub rect: Rect,
    pub scale: f64,
}

/// The format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// Exact.
    Png,
    /// Small.
    Jpeg,
    /// Smaller.
    Webp,
}

command! {
    /// Takes a picture.
    CaptureScreenshot = "Page.captureScreenshot" -> Picture {} {
        format: ImageFormat,
        quality: u8,
        clip: Clip,
        from_surface: bool,
        capture_beyond_viewport: bool,
        optimize_for_speed: bool,
    }

    /// Prints to a PDF.
    PrintToPdf = "Page.printToPDF" -> Pdf {} {
        landscape: bool,
        display_header_footer: bool,
        print_background: bool,
        scale: f64,
        paper_width: f64,
        paper_height: f64,
        margin_top: f64,
        margin_bottom: f64,
        margin_left: f64,
        margin_right: f64,
        page_ranges: String,
        prefer_css_page_size: bool,
        generate_tagged_pdf: bool,
        generate_document_outline: bool,
    }

    /// How large the page and its window are.
    GetLayoutMetrics = "Page.getLayoutMetrics" -> LayoutMetrics {}

    /// Sends pictures as the page changes.
    StartScreencast = "Page.startScreencast" -> Done {} {
        format: ImageFormat,
        quality: u8,
        max_width: u32,
        max_height: u32,
        every_nth_frame: u32,
    }

    /// Sends no more of them.
    StopScreencast = "Page.stopScreencast" -> Done {}

    /// Asks for the next one.
    ScreencastFrameAck = "Page.screencastFrameAck" -> Done { session_id: i64 }
}

received! {
    /// A picture, in base64.
    Picture { data: String }
    /// A PDF, in base64.
    Pdf { data: String }
    /// How large the page and its window are, in CSS pixels.
    LayoutMetrics {
        css_layout_viewport: LayoutViewport,
        css_visual_viewport: VisualViewport,
        css_content_size: Rect,
    }
    /// The window onto the page.
    LayoutViewport { page_x: i64, page_y: i64, client_width: i64, client_height: i64 }
    /// The part of it that is seen.
    VisualViewport {
        offset_x: f64,
        offset_y: f64,
        page_x: f64,
        page_y: f64,
        client_width: f64,
        client_height: f64,
        scale: f64,
    }
}

event! {
    /// A picture of the page as it is now, in base64.
    ScreencastFrame = "Page.screencastFrame" { data: String, session_id: i64 }
}
