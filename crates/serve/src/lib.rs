//! `mazurka serve`: a page on this machine to write programs, check them and read the reports.
//!
//! Every check is a child process, `mazurka check`, under limits of time and memory ([`checks`]).
//! Programs come from any client that can reach the page, so their text is examined before the
//! preprocessor sees it ([`driver::screen`]), the preprocessor can open nothing but headers where the system
//! can ensure that (`mazurka check --untrusted`), and requests that other pages have sent are refused
//! ([`guard`]). Nothing of a program is ever executed: `check` interprets and reasons.

mod api;
mod checks;
mod config;
mod examples;
mod guard;
mod page;

pub use config::{Choice, Config};

use checks::Checks;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long open connections have to end when the server does.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves until the process is interrupted; `ready` receives the address once it can be used. When
/// it returns, no check is running any more.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let checks = Arc::new(Checks::new(config));
    let served = runtime.block_on(serve(&checks, ready));
    checks.close();
    checks.wait_until_idle();
    served
}

async fn serve(checks: &Arc<Checks>, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let listener = TcpListener::bind(checks.config.listen).await?;
    let address = listener.local_addr()?;
    let (closing, mut closed) = watch::channel(false);
    let interrupt = interrupted()?;
    ready(address);
    let ending = checks.clone();
    let farewell = async move {
        interrupt.await;
        // Streams of events end with their checks, and with them their connections.
        ending.close();
        let _ = closing.send(true);
    };
    let server = axum::serve(listener, api::router(checks.clone(), address));
    let server = server.with_graceful_shutdown(farewell).into_future();
    tokio::select! {
        served = server => served,
        () = async {
            let _ = closed.wait_for(|closed| *closed).await;
            tokio::time::sleep(FAREWELL).await;
        } => Ok(()),
    }
}

/// Ends at the first Ctrl-C, or when the process is asked to end.
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
