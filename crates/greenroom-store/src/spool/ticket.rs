//! What a row says about a value that is still a file.

use rusqlite::types::{FromSqlError, FromSqlResult};

/// Which piece of which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) offset: u64,
    pub(crate) crc: u32,
    /// The run that wrote it, and the file in the directory of that run.
    pub(crate) run: String,
    pub(crate) name: String,
}

impl Ticket {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        format!("{} {} {} {}", self.offset, self.crc, self.run, self.name).into_bytes()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> FromSqlResult<Self> {
        let parse = || -> Option<Self> {
            let mut fields = std::str::from_utf8(bytes).ok()?.split(' ');
            let ticket = Self {
                offset: fields.next()?.parse().ok()?,
                crc: fields.next()?.parse().ok()?,
                run: plain(fields.next()?)?,
                name: plain(fields.next()?)?,
            };
            fields.next().is_none().then_some(ticket)
        };
        parse().ok_or(FromSqlError::InvalidType)
    }
}

/// A name that cannot lead out of its directory, whatever a damaged row says.
fn plain(name: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!name.is_empty() && name.chars().all(plain)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_survives_its_stored_form() {
        let ticket = Ticket {
            offset: 7,
            crc: u32::MAX,
            run: "a1".into(),
            name: "b-2".into(),
        };
        assert_eq!(Ticket::from_bytes(&ticket.to_bytes()).unwrap(), ticket);
    }

    #[test]
    fn a_damaged_ticket_leads_nowhere() {
        for bad in [
            "",
            "1 2 a",
            "1 2 a b c",
            "x 2 a b",
            "1 2 .. b",
            "1 2 a ../b",
            "1 2 a /etc",
        ] {
            assert!(Ticket::from_bytes(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
