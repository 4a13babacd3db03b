use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

use crate::identity::Principal;
use crate::mcp::serve_stream;
use crate::service::Service;
use crate::shutdown::Shutdown;

/// The kernel's bound on the path of a socket, less the final NUL.
const LONGEST_PATH: usize = 107;
/// Each client is one process of this user; more is a loop gone wild.
const MOST_CLIENTS: usize = 512;

/// Where the server of a data directory listens: in the directory, or, where that path is too long
/// for the kernel, in a directory of this user's below `runtime_dir`.
pub fn socket_path(data_dir: &Path, runtime_dir: &Path) -> PathBuf {
    let direct = data_dir.join("greenroom.sock");
    if direct.as_os_str().len() <= LONGEST_PATH {
        return direct;
    }
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    let name: String = digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let user = rustix::process::getuid().as_raw();
    runtime_dir
        .join(format!("greenroom-{user}"))
        .join(format!("{name}.sock"))
}

/// Connects to the server that listens there, if one does.
pub async fn connect(socket: &Path) -> io::Result<UnixStream> {
    UnixStream::connect(socket).await
}

/// Listens on the socket of a data directory, whose claim the caller holds.
///
/// # Errors
/// When the socket cannot be made there.
pub fn listen(socket: &Path) -> io::Result<UnixListener> {
    let parent = socket.parent().unwrap_or(Path::new("/"));
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(parent)?;
    // A directory that somebody else made below a shared temp directory is a trap.
    let owner = std::fs::metadata(parent)?.uid();
    if owner != rustix::process::getuid().as_raw() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{} belongs to another user", parent.display()),
        ));
    }
    // The claim on the data directory is held: a socket that is there belongs to a dead server.
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Serves every program that connects, as one MCP client each, until `shutdown`.
pub async fn serve_socket(service: Service, listener: UnixListener, shutdown: Shutdown) {
    let mut clients = JoinSet::new();
    loop {
        let has_room = clients.len() < MOST_CLIENTS;
        tokio::select! {
            () = shutdown.draining() => break,
            Some(_) = clients.join_next(), if !clients.is_empty() => {}
            accepted = listener.accept(), if has_room => match accepted {
                Ok((stream, _)) => {
                    let (read, write) = stream.into_split();
                    let (service, shutdown) = (service.clone(), shutdown.clone());
                    clients.spawn(serve_stream(service, Principal::local(), read, write, shutdown));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a local client");
                    // Out of descriptors: the error comes back at once until one is free.
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            },
        }
    }
    drop(listener);
    while clients.join_next().await.is_some() {}
}
