//! The list of migrations. A row, once released, is never edited: a change is a new row.

use rusqlite::{Connection, TransactionBehavior};

/// `user_version` is the number of rows that a file has been through.
const MIGRATIONS: &[&str] = &[include_str!("migrations/0001_first.sql")];

/// Marks a file as ours: "GRNR".
const APPLICATION_ID: i64 = 0x4752_4E52;

/// What a file says about itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    New,
    Ours { version: i64 },
    Newer { version: i64 },
    Foreign,
}

pub(crate) const fn newest() -> i64 {
    MIGRATIONS.len() as i64
}

pub(crate) fn origin(conn: &Connection) -> rusqlite::Result<Origin> {
    let number = |pragma| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let version = number("user_version")?;
    Ok(match number("application_id")? {
        APPLICATION_ID if version > newest() => Origin::Newer { version },
        APPLICATION_ID => Origin::Ours { version },
        0 if tables == 0 && version == 0 => Origin::New,
        _ => Origin::Foreign,
    })
}

/// Brings the file to the newest schema. The version is read inside the transaction, so that two
/// processes that start at once do not both migrate.
pub(crate) fn migrate(conn: &mut Connection) -> rusqlite::Result<()> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(version).unwrap_or_default();
    for (step, sql) in MIGRATIONS.iter().enumerate().skip(done) {
        tx.execute_batch(sql)?;
        tx.pragma_update(None, "user_version", step as i64 + 1)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_migrated_once_and_then_known() {
        let mut conn = Connection::open_in_memory().unwrap();
        assert_eq!(origin(&conn).unwrap(), Origin::New);
        migrate(&mut conn).unwrap();
        migrate(&mut conn).unwrap();
        assert_eq!(origin(&conn).unwrap(), Origin::Ours { version: newest() });
    }

    #[test]
    fn files_of_others_and_of_the_future_are_told_apart() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch("CREATE TABLE theirs (x)").unwrap();
        assert_eq!(origin(&conn).unwrap(), Origin::Foreign);

        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn).unwrap();
        conn.pragma_update(None, "user_version", newest() + 1)
            .unwrap();
        assert_eq!(
            origin(&conn).unwrap(),
            Origin::Newer {
                version: newest() + 1
            }
        );
    }

    #[test]
    fn every_table_of_rows_is_strict() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn).unwrap();
        let loose: Vec<String> = conn
            .prepare(
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 \
                 AND schema = 'main' AND name NOT LIKE 'sqlite_%'",
            )
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(loose.is_empty(), "not STRICT: {loose:?}");
    }
}
