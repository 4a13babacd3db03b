//! One page of a world.

use super::settings::WorldSettings;
use crate::native::conn::{Events, Session};
use crate::native::error::CdpError;
use crate::native::protocol::emulation::{SetDeviceMetricsOverride, SetFocusEmulationEnabled};
use crate::native::protocol::input::SetIgnoreInputEvents;
use crate::native::protocol::page::{FrameTree, GetFrameTree, SetLifecycleEventsEnabled};
use crate::native::protocol::target::{EnableInspector, SetAutoAttach};
use crate::native::protocol::{TargetId, log, network, page, runtime};

/// The bodies of responses are kept in the page's process for whoever asks; the usual hundred
/// megabytes per page are too much for a pool.
const KEPT_BODIES: u64 = 8 << 20;
const KEPT_BODY: u64 = 4 << 20;

/// A page that is attached, and tells all that the tools need to know.
#[derive(Debug)]
pub struct Tab {
    /// Its name in the browser.
    pub target: TargetId,
    /// Who opened it, if a page did.
    pub opener: Option<TargetId>,
    /// Where commands for it go.
    pub session: Session,
    /// Everything that it has told since it was attached.
    pub events: Events,
    /// Its frames, as they were then.
    pub frames: FrameTree,
}

/// Asks for all that the tools need to know of a page, makes it what pages of its world are, and
/// lets it go. Gives the page's frames.
///
/// All commands go out at once: it costs one turn, and the page cannot do anything before they
/// have taken effect, nor be left waiting when one of them is refused.
pub(super) async fn furnish(
    session: &Session,
    settings: &WorldSettings,
) -> Result<FrameTree, CdpError> {
    let lifecycle = SetLifecycleEventsEnabled { enabled: true };
    let network = network::Enable {
        max_total_buffer_size: Some(KEPT_BODIES),
        max_resource_buffer_size: Some(KEPT_BODY),
        ..network::Enable::default()
    };
    let (_, _, frames, ..) = tokio::try_join!(
        // Events that are asked for first are told first.
        session.call(page::Enable {}),
        session.call(lifecycle),
        session.call(GetFrameTree {}),
        session.call(runtime::Enable {}),
        session.call(network),
        session.call(log::Enable {}),
        session.call(EnableInspector {}),
        session.call(SetAutoAttach::to("iframe")),
        // Pages of a shared browser are all in the background of each other.
        session.call(SetFocusEmulationEnabled { enabled: true }),
        set_viewport(session, settings),
        hide_pointer(session, settings),
        session.call(runtime::RunIfWaitingForDebugger {}),
    )?;
    Ok(frames.frame_tree)
}

/// A browser without windows takes its mouse to be in the upper left corner, and has pages hear of
/// it there whenever their process changes. The pointer of a page is nowhere before somebody moves
/// it: until its [`Input`](crate::native::input::Input) is used, a page hears of none.
async fn hide_pointer(session: &Session, settings: &WorldSettings) -> Result<(), CdpError> {
    if !settings.is_unseen {
        return Ok(());
    }
    let ignore = SetIgnoreInputEvents { ignore: true };
    session.call(ignore).await.map(drop)
}

async fn set_viewport(session: &Session, settings: &WorldSettings) -> Result<(), CdpError> {
    let Some(size) = settings.viewport else {
        return Ok(());
    };
    let metrics = SetDeviceMetricsOverride {
        width: size.width,
        height: size.height,
        screen_width: Some(size.width),
        screen_height: Some(size.height),
        device_scale_factor: 1.0,
        mobile: false,
    };
    session.call(metrics).await.map(drop)
}
