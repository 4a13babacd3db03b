//! The mouse: where it is, and what its buttons do.

use std::time::Duration;

use tokio::time::sleep;

use super::hands::{Act, Halt, Input};
use super::keyboard::Modifier;
use crate::native::deadline::Deadline;
use crate::native::protocol::input::{DispatchMouseEvent, MouseButton, MouseEventKind};

/// A place in the window, in CSS pixels from its upper left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[allow(missing_docs, reason = "a place has two numbers")]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A button that agents use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Button {
    /// The usual one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one for menus.
    Right,
}

impl Button {
    /// The one that an agent names.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "left" => Some(Self::Left),
            "middle" => Some(Self::Middle),
            "right" => Some(Self::Right),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Middle => "middle",
            Self::Right => "right",
        }
    }

    fn protocol(self) -> MouseButton {
        match self {
            Self::Left => MouseButton::Left,
            Self::Middle => MouseButton::Middle,
            Self::Right => MouseButton::Right,
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Left => 1,
            Self::Right => 2,
            Self::Middle => 4,
        }
    }
}

/// How something is clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clicks {
    /// With which button.
    pub button: Button,
    /// How often: twice is a double click.
    pub count: u32,
    /// Which keys are held meanwhile.
    pub modifiers: Vec<Modifier>,
    /// How long the button stays down.
    pub hold: Duration,
}

impl Default for Clicks {
    fn default() -> Self {
        Self {
            button: Button::Left,
            count: 1,
            modifiers: Vec::new(),
            hold: Duration::ZERO,
        }
    }
}

impl Input {
    /// Moves the mouse.
    pub async fn move_to(&self, point: Point, deadline: Deadline) -> Result<(), Halt> {
        let acts = vec![self.moved(point)];
        self.perform(acts, deadline).await
    }

    /// Moves the mouse with these keys held.
    pub async fn hover(
        &self,
        point: Point,
        modifiers: &[Modifier],
        deadline: Deadline,
    ) -> Result<(), Halt> {
        let mut acts = self.hold(modifiers);
        acts.push(self.moved(point));
        acts.extend(self.let_go(modifiers));
        self.perform(acts, deadline).await
    }

    /// Presses a button where the mouse is, and keeps it down.
    pub async fn button_down(&self, button: Button, deadline: Deadline) -> Result<(), Halt> {
        let acts = vec![self.pressed(button, 1)];
        self.perform(acts, deadline).await
    }

    /// Lets go of a button.
    pub async fn button_up(&self, button: Button, deadline: Deadline) -> Result<(), Halt> {
        let acts = vec![self.released(button, 1)];
        self.perform(acts, deadline).await
    }

    /// Moves there and clicks.
    pub async fn click(
        &self,
        point: Point,
        clicks: &Clicks,
        deadline: Deadline,
    ) -> Result<(), Halt> {
        let mut acts = self.hold(&clicks.modifiers);
        acts.push(self.moved(point));
        for count in 1..=clicks.count {
            acts.push(self.pressed(clicks.button, count));
            if !clicks.hold.is_zero() {
                self.perform(std::mem::take(&mut acts), deadline).await?;
                // The caller wants the button down for so long: this is no wait for the page.
                sleep(clicks.hold.min(deadline.left())).await;
            }
            acts.push(self.released(clicks.button, count));
        }
        acts.extend(self.let_go(&clicks.modifiers));
        self.perform(acts, deadline).await
    }

    /// Turns the wheel where the mouse is.
    pub async fn wheel(&self, by: Point, deadline: Deadline) -> Result<(), Halt> {
        let wheel = DispatchMouseEvent {
            delta_x: Some(by.x),
            delta_y: Some(by.y),
            ..self.mouse(MouseEventKind::MouseWheel, MouseButton::None)
        };
        self.perform(vec![Act::Mouse(wheel)], deadline).await
    }

    pub(super) fn moved(&self, point: Point) -> Act {
        let button = self.remember(|held| {
            held.mouse = point;
            held.button
        });
        let button = button.map_or(MouseButton::None, Button::protocol);
        Act::Mouse(self.mouse(MouseEventKind::MouseMoved, button))
    }

    pub(super) fn pressed(&self, button: Button, count: u32) -> Act {
        self.remember(|held| {
            held.buttons |= button.bit();
            held.button = Some(button);
        });
        Act::Mouse(DispatchMouseEvent {
            click_count: Some(count),
            ..self.mouse(MouseEventKind::MousePressed, button.protocol())
        })
    }

    pub(super) fn released(&self, button: Button, count: u32) -> Act {
        self.remember(|held| {
            held.buttons &= !button.bit();
            held.button = None;
        });
        Act::Mouse(DispatchMouseEvent {
            click_count: Some(count),
            ..self.mouse(MouseEventKind::MouseReleased, button.protocol())
        })
    }

    fn hold(&self, modifiers: &[Modifier]) -> Vec<Act> {
        let keys = modifiers.iter().filter_map(|modifier| modifier.key());
        keys.map(|key| self.down(&key)).collect()
    }

    fn let_go(&self, modifiers: &[Modifier]) -> Vec<Act> {
        let keys = modifiers.iter().rev().filter_map(|modifier| modifier.key());
        keys.map(|key| self.up(&key)).collect()
    }

    /// An event of the mouse as all is now.
    fn mouse(&self, kind: MouseEventKind, button: MouseButton) -> DispatchMouseEvent {
        self.remember(|held| DispatchMouseEvent {
            kind,
            x: held.mouse.x,
            y: held.mouse.y,
            button,
            buttons: held.buttons,
            modifiers: held.modifiers,
            ..DispatchMouseEvent::default()
        })
    }
}
