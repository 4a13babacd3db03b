//! The tools for cookies.

use super::arguments::Arguments;
use super::work::Work;
use crate::native::actions::{self, Jar};
use crate::native::answer::Answer;
use crate::native::origin::host_of;
use crate::native::page::ToolError;
use crate::native::protocol::network::{CookieParam, SameSite};

pub(super) async fn cookies(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let jar = Jar {
        browser: work.room.session().clone(),
        context: work.room.context().cloned(),
    };
    let (jar, deadline) = (&jar, work.deadline);
    let done = match work.call.tool.as_str() {
        "browser_cookie_list" => {
            let (domain, path) = (arguments.text("domain"), arguments.text("path"));
            actions::cookie_list(jar, domain, path, deadline).await
        }
        "browser_cookie_get" => {
            actions::cookie_get(jar, arguments.required("name")?, deadline).await
        }
        "browser_cookie_set" => {
            let cookie = cookie(work, arguments).await?;
            actions::cookie_set(jar, cookie, deadline).await
        }
        "browser_cookie_delete" => {
            actions::cookie_delete(jar, arguments.required("name")?, deadline).await
        }
        _ => actions::cookie_clear(jar, deadline).await,
    };
    Ok(Answer::default().with(done?))
}

/// The cookie that is to be set: of the page that is shown, unless it says otherwise.
async fn cookie(work: &Work, arguments: &Arguments<'_>) -> Result<CookieParam, ToolError> {
    let value = arguments.any_text("value");
    let domain = match arguments.text("domain") {
        Some(domain) => domain.to_owned(),
        None => host(work).await?,
    };
    let flag = |name: &str| arguments.value(name).map(|_| arguments.flag(name));
    Ok(CookieParam {
        name: arguments.required("name")?.to_owned(),
        value: value
            .ok_or_else(|| arguments.missing("value", "a text"))?
            .to_owned(),
        domain: Some(domain),
        path: Some(arguments.text("path").unwrap_or("/").to_owned()),
        expires: arguments.number("expires"),
        http_only: flag("httpOnly"),
        secure: flag("secure"),
        same_site: arguments
            .text("sameSite")
            .map(|name| same_site(name, arguments))
            .transpose()?,
        ..CookieParam::default()
    })
}

async fn host(work: &Work) -> Result<String, ToolError> {
    let url = work.page().await?.url();
    host_of(&url).ok_or_else(|| {
        ToolError::Argument(format!(
            "{url} has no host to set a cookie for. Give the cookie a domain, or go to the site first."
        ))
    })
}

fn same_site(name: &str, arguments: &Arguments<'_>) -> Result<SameSite, ToolError> {
    match name {
        "Strict" => Ok(SameSite::Strict),
        "Lax" => Ok(SameSite::Lax),
        "None" => Ok(SameSite::None),
        _ => Err(arguments.missing("sameSite", "Strict, Lax or None")),
    }
}
