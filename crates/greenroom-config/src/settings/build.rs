//! Builds the settings from merged values that were found to be valid.

use crate::keys::Key;
use crate::merge::Merged;
use crate::scope::{InstanceId, PoolName, Scope};
use crate::settings::{InstanceSettings, PoolSettings, ServerSettings, Settings, profile};
use crate::values::value::FromValue;

/// Builds everything. To be called only when no check found a problem.
pub(crate) fn build(merged: Merged) -> Settings {
    Settings {
        server: server(&merged),
        pools: merged
            .pools()
            .into_iter()
            .map(|name| pool(&merged, name))
            .collect(),
        notices: merged.notices.clone(),
        merged,
    }
}

/// Reads values of one scope.
struct Reader<'a> {
    merged: &'a Merged,
    scope: Scope,
}

impl Reader<'_> {
    fn some<T: FromValue>(&self, key: Key) -> Option<T> {
        self.merged.effective(&self.scope, key).get()
    }

    fn is_set(&self, key: Key) -> bool {
        self.merged.effective(&self.scope, key).is_set()
    }

    fn get<T: FromValue>(&self, key: Key) -> T {
        self.some(key)
            .unwrap_or_else(|| panic!("BUG: {key} has no value of its type for {}", self.scope))
    }
}

fn server(merged: &Merged) -> ServerSettings {
    let of = Reader {
        merged,
        scope: Scope::Global,
    };
    ServerSettings {
        host: of.get(Key::ServerHost),
        port: of.get(Key::ServerPort),
        data_dir: of.get(Key::DataDir),
        database_path: of.get(Key::DatabasePath),
        log_level: of.get(Key::LogLevel),
        shutdown_timeout: of.get(Key::ShutdownTimeout),
        auth_tokens: of.some(Key::AuthTokens).unwrap_or_default(),
        allowed_hosts: of.get(Key::AllowedHosts),
        allowed_origins: of.get(Key::AllowedOrigins),
        durability: of.get(Key::Durability),
        response_mode: of.get(Key::ResponseMode),
        inline_max: of.get(Key::InlineMax),
        retention: of.get(Key::RetentionHours),
        max_store_mb: of.get(Key::MaxStoreMb),
        tools: of.get(Key::Tools),
        search_url: of.get(Key::SearchUrl),
    }
}

fn pool(merged: &Merged, name: PoolName) -> PoolSettings {
    let of = Reader {
        merged,
        scope: Scope::Pool(name.clone()),
    };
    let count: u32 = of.get(Key::Instances);
    let ids = (0..count).map(InstanceId);
    let scopes = ids.map(|id| (id, Scope::Instance(name.clone(), id)));
    PoolSettings {
        description: of.get(Key::Description),
        is_default: of.get(Key::IsDefault),
        instances: scopes
            .map(|(id, scope)| instance(merged, id, scope))
            .collect(),
        min_idle: of.get(Key::MinIdle),
        max_instances: of.get(Key::MaxInstances),
        contexts_per_browser: of.get(Key::ContextsPerBrowser),
        sticky: of.get(Key::Sticky),
        lease_timeout: of.get(Key::LeaseTimeout),
        max_queue: of.get(Key::MaxQueue),
        min_hold: of.get(Key::MinHold),
        idle_timeout: of.get(Key::IdleTimeout),
        template: instance(merged, InstanceId(count), Scope::Pool(name.clone())),
        profiles: profile::parent(merged, &name).expect("BUG: the data directory is known"),
        name,
    }
}

fn instance(merged: &Merged, id: InstanceId, scope: Scope) -> InstanceSettings {
    let profile_dir = profile::directory(merged, &scope);
    let of = Reader { merged, scope };
    InstanceSettings {
        id,
        alias: of.some(Key::Alias),
        browser: of.get(Key::Browser),
        engine_choice: of.get(Key::Engine),
        headless: of.get(Key::Headless),
        // In a browser that is somebody else's, nothing but a world of its own is ours to use.
        isolated: of.get(Key::Isolated) || of.is_set(Key::CdpEndpoint),
        process_choice: of.get(Key::Process),
        timeout: of.get(Key::Timeout),
        wsl_windows: of.get(Key::WslWindows),
        executable_path: of.some(Key::ExecutablePath),
        args: of.some(Key::Args).unwrap_or_default(),
        profile_dir,
        storage_state: of.some(Key::StorageState),
        viewport: of.some(Key::Viewport),
        user_agent: of.some(Key::UserAgent),
        proxy_server: of.some(Key::ProxyServer),
        ignore_https_errors: of.get(Key::IgnoreHttpsErrors),
        sandbox: of.get(Key::Sandbox),
        cdp_endpoint: of.some(Key::CdpEndpoint),
        allow_run_code: of.get(Key::AllowRunCode),
        upstream_command: of.some(Key::UpstreamCommand),
        session_timeout: of.get(Key::SessionTimeout),
        session_ttl: of.get(Key::SessionTtl),
        max_tabs: of.get(Key::MaxTabs),
        recycle_after: of.get(Key::RecycleAfter),
        max_age: of.get(Key::MaxAge),
        memory_limit_mb: of.get(Key::MemoryLimitMb),
        warmup: of.some(Key::Warmup),
        health_check_interval: of.get(Key::HealthCheckInterval),
        health_check_timeout: of.get(Key::HealthCheckTimeout),
        health_strikes: of.get(Key::HealthStrikes),
        max_restart_attempts: of.get(Key::MaxRestartAttempts),
        restart_window: of.get(Key::RestartWindow),
    }
}
