//! Writing to the client.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::script::{Noise, Wire};

/// Stdout, shared by all calls in flight.
#[derive(Debug)]
pub(super) struct Output<W> {
    wire: Wire,
    sink: Mutex<Sink<W>>,
}

#[derive(Debug)]
struct Sink<W> {
    out: W,
    /// After half a line nothing that follows would make sense.
    muted: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(wire: Wire, out: W) -> Self {
        let sink = Sink { out, muted: false };
        Self {
            wire,
            sink: Mutex::new(sink),
        }
    }

    /// Writes messages, all of them in one write.
    pub(super) fn send(&self, messages: &[&Value]) {
        self.between();
        let line_end = if self.wire.crlf { "\r\n" } else { "\n" };
        let text: String = messages.iter().map(|m| format!("{m}{line_end}")).collect();
        if self.wire.one_byte_writes {
            self.with(|out| text.as_bytes().chunks(1).try_for_each(|b| write(out, b)));
        } else {
            self.with(|out| write(out, text.as_bytes()));
        }
    }

    /// Writes half of a message, then never anything again.
    pub(super) fn send_half(&self, message: &Value) {
        let text = message.to_string();
        self.with(|out| write(out, &text.as_bytes()[..text.len() / 2]));
        self.sink
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .muted = true;
    }

    pub(super) fn noise(&self, noise: &Noise) {
        let text = noise.text.repeat(noise.times);
        self.with(|out| write(out, text.as_bytes()));
    }

    fn between(&self) {
        if let Some(noise) = &self.wire.noise_between {
            self.noise(noise);
        }
    }

    /// A client that is gone is noticed as the end of stdin, not here.
    fn with(&self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if !sink.muted {
            let _ = write(&mut sink.out);
        }
    }
}

fn write(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(wire: Wire, act: impl FnOnce(&Output<Vec<u8>>)) -> String {
        let output = Output::new(wire, Vec::new());
        act(&output);
        let sink = output.sink.into_inner().unwrap();
        String::from_utf8(sink.out).unwrap()
    }

    #[test]
    fn lines_end_as_told_and_noise_goes_between() {
        let wire = Wire {
            crlf: true,
            noise_between: Some(Noise::once("npm warn\n")),
            ..Wire::default()
        };
        let text = written(wire, |output| output.send(&[&json!(1), &json!(2)]));
        assert_eq!(text, "npm warn\n1\r\n2\r\n");
    }

    #[test]
    fn after_half_a_line_there_is_silence() {
        let text = written(Wire::default(), |output| {
            output.send_half(&json!("abcdef"));
            output.send(&[&json!(1)]);
        });
        assert_eq!(text, "\"abc");
    }
}
