//! `<arpa/inet.h>` and `<netdb.h>`.

use super::{Row, in_c, text};

pub(super) const ROWS: &[Row] = &[
    in_c("lib/byte_order.c", "htonl htons ntohl ntohs"),
    in_c(
        "lib/addresses.c",
        "inet_pton inet_ntop inet_aton inet_addr inet_ntoa getaddrinfo freeaddrinfo \
         gethostbyname",
    ),
    text(&[], "gai_strerror"),
];
