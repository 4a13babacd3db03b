//! What a page is made to believe about the machine.

use serde::Serialize;

use super::{Command, Done};

/// A feature of the medium, such as `prefers-color-scheme`; an empty value takes it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "named and documented by the protocol")]
pub struct MediaFeature {
    pub name: String,
    pub value: String,
}

command! {
    /// The size of the window and of its pixels.
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" -> Done {
        width: u32,
        height: u32,
        /// 0 leaves it as it is.
        device_scale_factor: f64,
        mobile: bool,
    } {
        screen_width: u32,
        screen_height: u32,
    }

    /// The window as it is.
    ClearDeviceMetricsOverride = "Emulation.clearDeviceMetricsOverride" -> Done {}

    /// The medium (`screen`, `print`; empty takes it back) and its features.
    SetEmulatedMedia = "Emulation.setEmulatedMedia" -> Done {} {
        media: String,
        features: Vec<MediaFeature>,
    }

    /// What the browser calls itself.
    SetUserAgentOverride = "Emulation.setUserAgentOverride" -> Done { user_agent: String } {
        accept_language: String,
        platform: String,
    }

    /// Whether the page believes that it has the focus, also when another one has.
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" -> Done { enabled: bool }

    /// Whether fingers work.
    SetTouchEmulationEnabled = "Emulation.setTouchEmulationEnabled" -> Done { enabled: bool }

    /// The language of numbers and dates.
    SetLocaleOverride = "Emulation.setLocaleOverride" -> Done {} { locale: String }

    /// The time zone.
    SetTimezoneOverride = "Emulation.setTimezoneOverride" -> Done { timezone_id: String }

    /// Where the machine is; nowhere, if nothing is given.
    SetGeolocationOverride = "Emulation.setGeolocationOverride" -> Done {} {
        latitude: f64,
        longitude: f64,
        accuracy: f64,
    }

    /// The colour behind a page that has none, such as none at all for a picture.
    SetDefaultBackgroundColorOverride = "Emulation.setDefaultBackgroundColorOverride" -> Done {} {
        color: Rgba,
    }

    /// Whether scripts run.
    SetScriptExecutionDisabled = "Emulation.setScriptExecutionDisabled" -> Done { value: bool }
}

/// A colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "a colour is a colour")]
pub struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: f64,
}

command! {
    /// Takes certificates as they come, for this page. It is a command of `Security`, and kept here
    /// because it is of the same kind.
    SetIgnoreCertificateErrors = "Security.setIgnoreCertificateErrors" -> Done { ignore: bool }
}
