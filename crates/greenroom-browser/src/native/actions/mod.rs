//! What tools do to a page: wait until an element is ready, then act with real input.
//!
//! Each action gives the lines of Playwright code that stand for it ([`Done`]). An action that
//! opens a dialog is done then: the dialog is what comes next, and nothing waits for it. Settling
//! after an action, and telling what became of the page, is the caller's business.

mod aim;
mod caret;
mod click;
mod cookies;
mod coordinates;
mod done;
mod drag;
mod emulate;
mod form;
mod media;
mod picture;
mod text;
mod web_storage;

pub use click::{click, hover};
pub use cookies::{Jar, cookie_clear, cookie_delete, cookie_get, cookie_list, cookie_set};
pub use coordinates::{mouse_click, mouse_down, mouse_move, mouse_up, mouse_wheel};
pub use done::Done;
pub use drag::{drag, drop, mouse_drag};
pub use emulate::resize;
pub use form::{FieldKind, fill_field, select_option, set_checked};
pub use media::{Media, emulate_media};
pub use picture::{JPEG_QUALITY, LONGEST, Subject, Taken, image, pdf, screenshot};
pub use text::{fill, press_key, press_sequentially, submit};
pub use web_storage::{
    StorageKind, storage_clear, storage_get, storage_items, storage_remove, storage_set,
};
