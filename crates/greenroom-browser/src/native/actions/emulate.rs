//! The conditions under which a page is shown.

use super::done::Done;
use crate::native::deadline::Deadline;
use crate::native::page::{Page, ToolError};
use crate::native::protocol::emulation::SetDeviceMetricsOverride;

/// Sets the size of the window.
pub async fn resize(
    page: &Page,
    width: u32,
    height: u32,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let metrics = SetDeviceMetricsOverride {
        width,
        height,
        device_scale_factor: 1.0,
        mobile: false,
        screen_width: Some(width),
        screen_height: Some(height),
    };
    page.session().call_within(deadline.left(), metrics).await?;
    let line = format!("await page.setViewportSize({{ width: {width}, height: {height} }});");
    Ok(Done::ran(line))
}
