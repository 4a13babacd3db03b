//! The cookies of a world, those that scripts cannot see included.
//!
//! They are asked for by the name of the world, on the session of the browser: on the session of a
//! page the same commands mean the browser's own profile, which is another world.

use super::done::Done;
use crate::native::conn::Session;
use crate::native::deadline::Deadline;
use crate::native::page::ToolError;
use crate::native::protocol::ContextId;
use crate::native::protocol::network::{Cookie, CookieParam};
use crate::native::protocol::storage::{ClearCookies, GetCookies, SetCookies};
use crate::native::tools::quote;

const LISTING: &str = "await page.context().cookies();";

/// The cookies of one world.
#[derive(Debug, Clone)]
pub struct Jar {
    /// The session of the browser itself.
    pub browser: Session,
    /// The world; none for the profile of the browser.
    pub context: Option<ContextId>,
}

/// Names the cookies whose domain and path contain these.
pub async fn cookie_list(
    jar: &Jar,
    domain: Option<&str>,
    path: Option<&str>,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let fits = |cookie: &&Cookie| {
        domain.is_none_or(|domain| cookie.domain.contains(domain))
            && path.is_none_or(|path| cookie.path.starts_with(path))
    };
    let cookies = all(jar, deadline).await?;
    let lines: Vec<_> = cookies.iter().filter(fits).map(line).collect();
    Ok(told(match lines.is_empty() {
        true => "No cookies found".to_owned(),
        false => lines.join("\n"),
    }))
}

/// Tells all about one cookie.
pub async fn cookie_get(jar: &Jar, name: &str, deadline: Deadline) -> Result<Done, ToolError> {
    let cookies = all(jar, deadline).await?;
    let found = cookies.iter().find(|cookie| cookie.name == name);
    Ok(told(found.map_or_else(
        || format!("Cookie '{name}' not found"),
        |cookie| {
            let same_site = cookie
                .same_site
                .map_or("Lax".to_owned(), |site| format!("{site:?}"));
            format!(
                "{}={} (domain: {}, path: {}, httpOnly: {}, secure: {}, sameSite: {same_site})",
                cookie.name,
                cookie.value,
                cookie.domain,
                cookie.path,
                cookie.http_only,
                cookie.secure
            )
        },
    )))
}

/// Sets a cookie.
pub async fn cookie_set(
    jar: &Jar,
    cookie: CookieParam,
    deadline: Deadline,
) -> Result<Done, ToolError> {
    let shown = written(&cookie);
    let set = SetCookies {
        cookies: vec![cookie],
        browser_context_id: jar.context.clone(),
    };
    let set = jar.browser.call_within(deadline.left(), set).await;
    set.map_err(|error| match error.refused_with("Invalid") {
        true => ToolError::Argument(
            "The browser does not take this cookie. Give it a domain without a scheme, and a path that begins with a slash.".to_owned(),
        ),
        false => error.into(),
    })?;
    Ok(Done::ran(format!(
        "await page.context().addCookies([{shown}]);"
    )))
}

/// Removes the cookies of a name.
pub async fn cookie_delete(jar: &Jar, name: &str, deadline: Deadline) -> Result<Done, ToolError> {
    for cookie in all(jar, deadline).await? {
        if cookie.name == name {
            let gone = CookieParam {
                name: cookie.name,
                domain: Some(cookie.domain),
                path: Some(cookie.path),
                partition_key: cookie.partition_key,
                // What has expired is removed.
                expires: Some(1.0),
                ..CookieParam::default()
            };
            let delete = SetCookies {
                cookies: vec![gone],
                browser_context_id: jar.context.clone(),
            };
            jar.browser.call_within(deadline.left(), delete).await?;
        }
    }
    let name = quote(name);
    Ok(Done::ran(format!(
        "await page.context().clearCookies({{ name: {name} }});"
    )))
}

/// Removes all cookies.
pub async fn cookie_clear(jar: &Jar, deadline: Deadline) -> Result<Done, ToolError> {
    jar.browser
        .call_within(
            deadline.left(),
            ClearCookies {
                browser_context_id: jar.context.clone(),
            },
        )
        .await?;
    Ok(Done::ran("await page.context().clearCookies();".to_owned()))
}

async fn all(jar: &Jar, deadline: Deadline) -> Result<Vec<Cookie>, ToolError> {
    let cookies = jar.browser.call_within(
        deadline.left(),
        GetCookies {
            browser_context_id: jar.context.clone(),
        },
    );
    Ok(cookies.await?.cookies)
}

/// A cookie as code has it: a time without a fraction is written without one.
fn written(cookie: &CookieParam) -> String {
    let mut written = serde_json::to_value(cookie).unwrap_or_default();
    if let Some(expires) = cookie.expires.filter(|expires| expires.fract() == 0.0) {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a number out of range becomes the nearest, and is only shown"
        )]
        let whole = expires as i64;
        written["expires"] = whole.into();
    }
    written.to_string()
}

fn line(cookie: &Cookie) -> String {
    let Cookie {
        name,
        value,
        domain,
        path,
        ..
    } = cookie;
    format!("{name}={value} (domain: {domain}, path: {path})")
}

fn told(result: String) -> Done {
    Done {
        result: Some(result),
        ..Done::ran(LISTING.to_owned())
    }
}
