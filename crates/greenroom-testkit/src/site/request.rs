//! What a browser sends after the first line of a request.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;

/// Nothing in it changes what is answered. It is read nevertheless, because a connection that is
/// closed over unread bytes may take the answer with it.
pub(super) async fn read_the_rest(stream: &mut BufReader<TcpStream>) -> std::io::Result<()> {
    let (mut line, mut length) = (String::new(), 0);
    while stream.read_line(&mut line).await? > 2 {
        let field = line.split_once(':');
        if let Some((_, value)) =
            field.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    tokio::io::copy(&mut stream.take(length), &mut tokio::io::sink()).await?;
    Ok(())
}
