//! One call at work.

use std::sync::Arc;

use crate::call::Call;

use super::arguments::Arguments;
use super::{
    acting, back, console, cookies, dialog, evaluate, find, media, mouse, navigate, network,
    page_wide, picture, request, snapshot, state, tabs, upload, wait, web_storage,
};
use crate::native::answer::Answer;
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::page::{Page, ToolError};
use crate::native::settle::{Effect, Settle};

/// The tools that there are.
pub const NAMES: &[&str] = &[
    "browser_click",
    "browser_close",
    "browser_console_messages",
    "browser_cookie_clear",
    "browser_cookie_delete",
    "browser_cookie_get",
    "browser_cookie_list",
    "browser_cookie_set",
    "browser_drag",
    "browser_drop",
    "browser_emulate_media",
    "browser_evaluate",
    "browser_file_upload",
    "browser_fill_form",
    "browser_find",
    "browser_handle_dialog",
    "browser_hover",
    "browser_localstorage_clear",
    "browser_localstorage_delete",
    "browser_localstorage_get",
    "browser_localstorage_list",
    "browser_localstorage_set",
    "browser_mouse_click_xy",
    "browser_mouse_down",
    "browser_mouse_drag_xy",
    "browser_mouse_move_xy",
    "browser_mouse_up",
    "browser_mouse_wheel",
    "browser_navigate",
    "browser_navigate_back",
    "browser_network_request",
    "browser_network_requests",
    "browser_pdf_save",
    "browser_press_key",
    "browser_resize",
    "browser_select_option",
    "browser_sessionstorage_clear",
    "browser_sessionstorage_delete",
    "browser_sessionstorage_get",
    "browser_sessionstorage_list",
    "browser_sessionstorage_set",
    "browser_set_storage_state",
    "browser_snapshot",
    "browser_storage_state",
    "browser_tabs",
    "browser_take_screenshot",
    "browser_type",
    "browser_wait_for",
];

/// A call, and what it needs.
#[derive(Debug)]
pub(crate) struct Work {
    /// The world that it is for.
    pub(crate) room: Arc<Room>,
    /// What is to be done.
    pub(crate) call: Call,
    /// Until when.
    pub(crate) deadline: Deadline,
}

impl Work {
    /// Does it.
    pub(crate) async fn run(self) -> Result<Answer, ToolError> {
        let arguments = Arguments::of(&self.call);
        match self.call.tool.as_str() {
            "browser_navigate" => navigate::navigate(&self, &arguments).await,
            "browser_navigate_back" => back::back(&self).await,
            "browser_tabs" => tabs::tabs(&self, &arguments).await,
            "browser_snapshot" => snapshot::snapshot(&self, &arguments).await,
            "browser_find" => find::find(&self, &arguments).await,
            "browser_evaluate" => evaluate::evaluate(&self, &arguments).await,
            "browser_wait_for" => wait::wait_for(&self, &arguments).await,
            "browser_console_messages" => console::messages(&self, &arguments).await,
            "browser_network_requests" => network::requests(&self, &arguments).await,
            "browser_network_request" => request::request(&self, &arguments).await,
            "browser_click" => acting::click(&self, &arguments).await,
            "browser_hover" => acting::hover(&self, &arguments).await,
            "browser_type" => acting::type_text(&self, &arguments).await,
            "browser_select_option" => acting::select_option(&self, &arguments).await,
            "browser_press_key" => page_wide::press_key(&self, &arguments).await,
            "browser_fill_form" => page_wide::fill_form(&self, &arguments).await,
            "browser_resize" => page_wide::resize(&self, &arguments).await,
            "browser_emulate_media" => media::emulate(&self, &arguments).await,
            "browser_drag" => acting::drag(&self, &arguments).await,
            "browser_drop" => acting::drop_on(&self, &arguments).await,
            "browser_take_screenshot" => picture::screenshot(&self, &arguments).await,
            "browser_pdf_save" => picture::pdf(&self, &arguments).await,
            "browser_file_upload" => upload::upload(&self, &arguments).await,
            "browser_handle_dialog" => dialog::handle(&self, &arguments).await,
            "browser_storage_state" => state::save(&self, &arguments).await,
            "browser_set_storage_state" => state::restore(&self, &arguments).await,
            other => self.run_of_family(other, &arguments).await,
        }
    }

    /// Does what one of several alike does, that differ in the end of their names.
    async fn run_of_family(
        &self,
        tool: &str,
        arguments: &Arguments<'_>,
    ) -> Result<Answer, ToolError> {
        let is_of = |family: &str| tool.starts_with(family) && NAMES.contains(&tool);
        match () {
            () if is_of("browser_mouse_") => mouse::mouse(self, arguments).await,
            () if is_of("browser_cookie_") => cookies::cookies(self, arguments).await,
            () if is_of("browser_localstorage_") => web_storage::local(self, arguments).await,
            () if is_of("browser_sessionstorage_") => web_storage::session(self, arguments).await,
            () => Err(ToolError::Argument(format!(
                "Tool \"{tool}\" not found. Use one of the tools that tools/list names."
            ))),
        }
    }

    /// The tab that tools act on.
    pub(super) async fn page(&self) -> Result<Page, ToolError> {
        self.room.ensure_tab(self.deadline).await
    }

    /// Does something on a page, and waits for what it has set in motion. Behind a dialog nothing
    /// moves before that is answered, so that one which opens meanwhile ends the wait.
    pub(super) async fn settled<T>(
        &self,
        page: &Page,
        effect: Effect,
        action: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        let (settle, popups) = (Settle::begin(page), self.room.popups_of(page));
        let done = action.await?;
        page.catch_up(self.deadline).await;
        let dialog = page.until(|books| {
            let modal = books.modal()?;
            modal.blocks_scripts().then_some(())
        });
        let settled = async {
            settle.end(effect, self.deadline).await;
            self.room.popups(page, &popups, self.deadline).await;
        };
        tokio::select! {
            biased;
            // A page that closes has no dialog: what comes of that is waited for.
            Some(()) = dialog => {}
            () = settled => {}
        }
        Ok(done)
    }
}
