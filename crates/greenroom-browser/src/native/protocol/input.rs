//! Real input: what a person does with a mouse, a keyboard, a finger.

use serde::{Deserialize, Serialize};

use super::{Command, Done, Event};

/// A button of a mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "a button is a button")]
pub enum MouseButton {
    #[default]
    None,
    Left,
    Middle,
    Right,
    Back,
    Forward,
}

/// What a mouse does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub enum MouseEventKind {
    #[default]
    MouseMoved,
    MousePressed,
    MouseReleased,
    MouseWheel,
}

/// What a key does. `RawKeyDown` is one that gives no text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub enum KeyEventKind {
    #[default]
    KeyDown,
    KeyUp,
    RawKeyDown,
    Char,
}

/// What something that is dragged does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub enum DragEventKind {
    #[default]
    DragEnter,
    DragOver,
    Drop,
    DragCancel,
}

/// Keys that are held while another thing is done; a sum of these.
pub mod modifiers {
    #![allow(missing_docs, reason = "a key is a key")]
    pub const ALT: u8 = 1;
    pub const CONTROL: u8 = 2;
    pub const META: u8 = 4;
    pub const SHIFT: u8 = 8;
}

command! {
    /// Does something with the mouse. Answers when the page has handled it.
    DispatchMouseEvent = "Input.dispatchMouseEvent" -> Done {
        #[serde(rename = "type")]
        kind: MouseEventKind,
        x: f64,
        y: f64,
        button: MouseButton,
        /// The buttons that are down: 1 left, 2 right, 4 middle, added up.
        buttons: u8,
        modifiers: u8,
    } {
        click_count: u32,
        delta_x: f64,
        delta_y: f64,
        force: f64,
        /// `mouse` or `pen`.
        pointer_type: String,
    }

    /// Does something with a key.
    DispatchKeyEvent = "Input.dispatchKeyEvent" -> Done {
        #[serde(rename = "type")]
        kind: KeyEventKind,
        modifiers: u8,
    } {
        text: String,
        unmodified_text: String,
        code: String,
        key: String,
        windows_virtual_key_code: u32,
        auto_repeat: bool,
        is_keypad: bool,
        location: u8,
        /// Commands of the editor that the key stands for, such as `selectAll`.
        commands: Vec<String>,
    }

    /// Inserts text as an input method does, without keys.
    InsertText = "Input.insertText" -> Done { text: String }

    /// Has a page hear of no input at all, ours among it.
    SetIgnoreInputEvents = "Input.setIgnoreInputEvents" -> Done { ignore: bool }

    /// Tells of a drag in place of doing it (`Input.dragIntercepted`).
    SetInterceptDrags = "Input.setInterceptDrags" -> Done { enabled: bool }

    /// Does something with what is dragged.
    DispatchDragEvent = "Input.dispatchDragEvent" -> Done {
        #[serde(rename = "type")]
        kind: DragEventKind,
        x: f64,
        y: f64,
        data: DragData,
        modifiers: u8,
    }
}

/// What is dragged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct DragData {
    pub items: Vec<DragDataItem>,
    /// Paths of files, as the browser sees them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What may be done with it: 1 copy, 2 link, 16 move, added up.
    pub drag_operations_mask: i64,
}

/// One form of what is dragged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct DragDataItem {
    pub mime_type: String,
    pub data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(rename = "baseURL", skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

event! {
    /// The page has begun a drag, which is ours to go on with.
    DragIntercepted = "Input.dragIntercepted" { data: DragData }
}
