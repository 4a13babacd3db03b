//! Text that is written, key by key or all at once.

use super::hands::{Act, Halt, Input};
use super::layout;
use crate::native::deadline::Deadline;
use crate::native::protocol::input::InsertText;

impl Input {
    /// Writes text with the keys that write it. A character that is on no key comes as from an
    /// input method, all neighbours of its kind together.
    ///
    /// The page has handled each character before the next one comes: fields that complete or
    /// check what is typed set their own text in between.
    pub async fn write(&self, text: &str, deadline: Deadline) -> Result<(), Halt> {
        let mut foreign = String::new();
        // A line ends once, however it is written.
        for character in text.replace("\r\n", "\n").chars() {
            let Some(key) = layout::writing(character) else {
                foreign.push(character);
                continue;
            };
            self.insert(&std::mem::take(&mut foreign), deadline).await?;
            let acts = vec![self.down(&key), self.up(&key)];
            self.perform(acts, deadline).await?;
        }
        self.insert(&foreign, deadline).await
    }

    /// Puts text in the place of what is selected, without keys, as an input method does.
    pub async fn insert(&self, text: &str, deadline: Deadline) -> Result<(), Halt> {
        if text.is_empty() {
            return Ok(());
        }
        let text = text.to_owned();
        self.perform(vec![Act::Text(InsertText { text })], deadline)
            .await
    }
}
