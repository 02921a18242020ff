//! Which part of a host name somebody registered, by the public suffix list.
//!
//! A crate of its own because the list is compiled to code: here that is done once, and not with every change of the core.
#![forbid(unsafe_code)]

/// The registrable domain of a host in lower case; nothing for a public suffix or a single label.
///
/// ```
/// assert_eq!(bayleaf_domains::registrable("www.shop.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(bayleaf_domains::registrable("co.uk"), None);
/// ```
pub fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}
