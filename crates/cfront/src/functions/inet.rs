//! `<arpa/inet.h>`.

use super::{Row, in_c};

pub(super) const ROWS: &[Row] = &[in_c("lib/byte_order.c", "htonl htons ntohl ntohs")];
