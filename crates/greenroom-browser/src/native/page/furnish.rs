//! What pages and frames must be told before tools can rely on them.

use super::Page;
use crate::native::conn::Session;
use crate::native::error::CdpError;
use crate::native::protocol::page::{
    FrameTree, GetFrameTree, SetInterceptFileChooserDialog, SetLifecycleEventsEnabled,
};
use crate::native::protocol::target::SetAutoAttach;
use crate::native::protocol::{log, network, page, runtime};

/// Completes what the router has asked of a page already.
pub(super) async fn page(session: &Session) {
    if let Err(error) = session.call(intercept_choosers()).await
        && !error.is_page_gone()
    {
        tracing::warn!(%error, "file choosers of a page cannot be followed");
    }
}

/// Asks a frame in another process for all that a page tells, and for the frames in it.
pub(super) async fn frame(page: &Page, session: &Session) -> Result<FrameTree, CdpError> {
    let lifecycle = SetLifecycleEventsEnabled { enabled: true };
    let (_, _, frames, ..) = tokio::try_join!(
        session.call(page::Enable {}),
        session.call(lifecycle),
        session.call(GetFrameTree {}),
        session.call(runtime::Enable {}),
        session.call(network::Enable::default()),
        session.call(log::Enable {}),
        session.call(intercept_choosers()),
        session.call(SetAutoAttach::to("iframe")),
        page.emulate_in(session),
        session.call(runtime::RunIfWaitingForDebugger {}),
    )?;
    Ok(frames.frame_tree)
}

fn intercept_choosers() -> SetInterceptFileChooserDialog {
    SetInterceptFileChooserDialog {
        enabled: true,
        cancel: None,
    }
}
