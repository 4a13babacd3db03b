//! From what an instance is to be to a Chromium that answers.
//!
//! The browser is a supervised child with directories of its own. It is spoken to over two pipes,
//! which it finds as descriptors 3 and 4: there is no port that another program could reach, and
//! when Greenroom is gone the pipes close and the browser ends by itself. `arguments` says how it
//! is started, and [`Chromium`] is the running thing, be it a child or a browser elsewhere.

mod arguments;
mod chromium;
mod features;
mod last_words;
mod pipes;
mod prepare;
mod wrapper;

pub use chromium::Chromium;
