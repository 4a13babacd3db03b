//! Accepting connections, also when the system has run out of something.

use std::io;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long to wait after accepts that failed in a row.
#[derive(Debug, Default)]
struct Pause(Option<Duration>);

impl Pause {
    /// What to do about `error`. A connection that died in the queue concerns nobody else. Anything
    /// else (usually too many open files) would fail again at once, so it gets time to pass.
    fn after(&mut self, error: &io::Error) -> Option<Duration> {
        use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
        if matches!(
            error.kind(),
            ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
        ) {
            return None;
        }
        let next = self
            .0
            .map_or(FIRST_PAUSE, |last| (last * 2).min(LONGEST_PAUSE));
        self.0 = Some(next);
        Some(next)
    }
}

/// The next connection, however long that takes.
pub(crate) async fn accept(listener: &TcpListener) -> TcpStream {
    let mut pause = Pause::default();
    loop {
        let error = match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) => error,
        };
        if let Some(pause) = pause.after(&error) {
            tracing::warn!(%error, ?pause, "no connection could be accepted");
            tokio::time::sleep(pause).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_connection_costs_no_time() {
        let mut pause = Pause::default();
        let lost = io::Error::from(io::ErrorKind::ConnectionAborted);
        assert_eq!(pause.after(&lost), None);
    }

    #[test]
    fn running_out_of_files_waits_longer_each_time_up_to_a_second() {
        let mut pause = Pause::default();
        // EMFILE has no stable kind.
        let full = io::Error::from_raw_os_error(24);
        let pauses: Vec<_> = (0..9).filter_map(|_| pause.after(&full)).collect();
        assert_eq!(pauses[..3], [10, 20, 40].map(Duration::from_millis));
        assert_eq!(pauses.last(), Some(&LONGEST_PAUSE));
        assert!(pauses.is_sorted());
    }
}
