use greenroom_config::{EXAMPLE, Settings, reference};

use crate::cli::{ConfigAction, SettingsArgs};
use crate::exit::Code;
use crate::output;
use crate::wiring::Setup;

pub(super) fn run(action: &ConfigAction, args: &SettingsArgs) -> anyhow::Result<Code> {
    let text = match action {
        ConfigAction::Reference => reference(),
        ConfigAction::Example => EXAMPLE.to_owned(),
        ConfigAction::Check => verdict(&Setup::read(args)?.settings?),
        ConfigAction::Show { json: false } => Setup::read(args)?.settings?.show(),
        ConfigAction::Show { json: true } => Setup::read(args)?.settings?.show_json() + "\n",
    };
    output::to_stdout(&text)?;
    Ok(Code::Ok)
}

fn verdict(settings: &Settings) -> String {
    let instances: usize = settings.pools.iter().map(|pool| pool.instances.len()).sum();
    let mut text = String::new();
    for notice in &settings.notices {
        text.push_str(&format!("note: {notice}\n"));
    }
    text.push_str(&format!(
        "configuration is valid: {} pool(s), {instances} instance(s), default pool {}\n",
        settings.pools.len(),
        settings.default_pool().name.as_str(),
    ));
    text
}
