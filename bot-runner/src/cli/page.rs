//! The arguments of commands that show a page.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use view::page::PageLanguage;

/// The options for a command's page.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// Serve a status page, with Prometheus metrics at /metrics (default address: a free port of
    /// 127.0.0.1)
    #[arg(long = "page", value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:0", value_parser = page_address)]
    pub address: Option<SocketAddr>,
    /// A file (mode 0600) with a token that the page asks for; required if other machines can reach
    /// the page
    #[arg(long = "page-token-file", value_name = "FILE", requires = "address")]
    pub token_file: Option<PathBuf>,
    /// The language of the page (default: that of the browser, else English)
    #[arg(long, value_parser = super::names::language())]
    pub language: Option<PageLanguage>,
}

/// Parses the address to listen on.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!("found {text:?}; an address is an IP address and a port, for instance 127.0.0.1:8080 or [::1]:8080")
    })
}

fn page_address(text: &str) -> Result<SocketAddr, String> {
    address(text)
        .map_err(|error| format!("{error}; where --page has none, write it behind the configs"))
}
