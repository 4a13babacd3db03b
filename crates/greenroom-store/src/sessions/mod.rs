//! Sessions as rows that outlive the process. What a session is made of is the server's business;
//! here it is a name, a state, and bytes that say how to bring it back.

mod model;
mod rows;

pub use model::{NewSession, Session, SessionState};
