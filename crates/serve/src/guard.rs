//! Which requests are accepted: those of pages of this server and of local programs, not those of other pages.
//!
//! A page elsewhere can make a browser send requests to this machine, and can give this machine a
//! name of its own (DNS rebinding). Such requests carry that name in `Host`, or a foreign `Origin`.
//! An address written in numbers cannot be rebound, so numbers are always good names.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// How long a client may take to send a question.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is known about this server.
#[derive(Debug)]
pub struct Identity {
    pub address: SocketAddr,
    pub names: Vec<String>,
}

/// Lets good requests through, and adds what every answer has.
pub async fn guard(identity: State<Arc<Identity>>, request: Request, next: Next) -> Response {
    let mut response = match identity.objection(request.headers()) {
        Some(what) => (StatusCode::FORBIDDEN, what).into_response(),
        // Answers begin at once, and events follow as they come: only a slow question takes long.
        None => match tokio::time::timeout(PATIENCE, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "the question took too long\n").into_response(),
        },
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, value.parse().expect("it is plain text"));
    }
    response
}

impl Identity {
    fn objection(&self, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(header::HOST).filter(|host| self.is_own(host)) else {
            return Some("this server is not called that; use its address (see --host)\n");
        };
        let origin = headers.get(header::ORIGIN);
        if origin.is_some_and(|origin| origin.as_bytes() != format!("http://{host}").as_bytes()) {
            return Some("a page from elsewhere may not use this server\n");
        }
        let site = headers.get("sec-fetch-site");
        let foreign = site.is_some_and(|site| site == "cross-site" || site == "same-site");
        foreign.then_some("a page from elsewhere may not use this server\n")
    }

    /// Is `name:port` one of this server's names?
    fn is_own(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else {
            return false;
        };
        if port.parse() != Ok(self.address.port()) {
            return false;
        }
        let number = name.trim_start_matches('[').trim_end_matches(']');
        match number.parse::<IpAddr>() {
            Ok(number) => number.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => name == "localhost" || self.names.iter().any(|known| known == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(listen: &str, headers: &[(&'static str, &str)]) -> bool {
        let identity = Identity {
            address: listen.parse().unwrap(),
            names: vec!["lab".into()],
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        identity.objection(&map).is_some()
    }

    #[test]
    fn own_names_only() {
        let local = "127.0.0.1:8017";
        for good in ["127.0.0.1:8017", "localhost:8017", "[::1]:8017", "lab:8017"] {
            assert!(!objects(local, &[("host", good)]), "{good}");
        }
        for bad in [
            "evil.example:8017",
            "127.0.0.1",
            "127.0.0.1:80",
            "192.168.0.7:8017",
            "localhost.evil.example:8017",
            "",
        ] {
            assert!(objects(local, &[("host", bad)]), "{bad}");
        }
        assert!(objects(local, &[]));
        assert!(!objects("0.0.0.0:8017", &[("host", "192.168.0.7:8017")]));
    }

    #[test]
    fn own_pages_only() {
        let host = ("host", "localhost:8017");
        let objects = |header| objects("127.0.0.1:8017", &[host, header]);
        assert!(!objects(("origin", "http://localhost:8017")));
        assert!(!objects(("sec-fetch-site", "same-origin")));
        assert!(!objects(("sec-fetch-site", "none")));
        for bad in [
            "http://localhost:3000",
            "https://evil.example",
            "null",
            "http://127.0.0.1:8017",
        ] {
            assert!(objects(("origin", bad)), "{bad}");
        }
        assert!(objects(("sec-fetch-site", "cross-site")));
    }
}
