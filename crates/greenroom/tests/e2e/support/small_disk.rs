use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use super::{Setup, TestServer};

/// Mounts a disk of the size `$0` at `$1`, then becomes the rest.
const MOUNT_AND_GO_ON: &str = "mount -t tmpfs -o size=\"$0\" none \"$1\" && shift && exec \"$@\"";

impl Setup {
    /// Keeps the record on a small disk that only the server sees. User namespaces allow this to
    /// everybody.
    pub fn record_on_small_disk(self, size: &str) -> Self {
        let disk = self.data_dir.with_file_name("disk");
        std::fs::create_dir(&disk).unwrap();
        let at = disk.to_str().unwrap();
        let database = disk.join("greenroom.db");
        self.launcher(&["unshare", "-Urm", "sh", "-c", MOUNT_AND_GO_ON, size, at])
            .set("DATABASE_PATH", database.to_str().unwrap())
    }
}

impl TestServer {
    /// The small disk, as this process can reach it.
    pub fn small_disk(&self) -> PathBuf {
        let disk = self.setup.data_dir.with_file_name("disk");
        let inside = disk.strip_prefix("/").unwrap();
        let root = format!("/proc/{}/root", self.pid().as_raw_nonzero());
        PathBuf::from(root).join(inside)
    }

    /// Leaves no room on the small disk, until the file that is returned is removed.
    pub fn fill_small_disk(&self) -> PathBuf {
        let ballast = self.small_disk().join("ballast");
        let mut file = File::create(&ballast).unwrap();
        for size in [1 << 16, 1 << 12, 1] {
            let piece = vec![0; size];
            let error = loop {
                if let Err(error) = file.write_all(&piece) {
                    break error;
                }
            };
            assert_eq!(error.kind(), ErrorKind::StorageFull);
        }
        ballast
    }
}
