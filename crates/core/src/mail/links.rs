//! Where links lead: the part of the host that somebody registered.

/// The registrable domain of a link, in lower case; a number stays as it is, and what has no host gives nothing.
pub(super) fn domain(link: &str) -> Option<String> {
    let link = link.replace(['\t', '\n', '\r'], ""); // as browsers do
    let (scheme, rest) = match link.trim_start() {
        link if link.starts_with("//") => ("http", link), // as the page, which webmail fetched
        link => link.split_once(':')?,
    };
    let host = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "ftp" => {
            let rest = rest.trim_start_matches(['/', '\\']);
            let authority = rest.split(['/', '?', '#', '\\']).next()?;
            authority.rsplit('@').next()?.split(':').next()?
        }
        "mailto" => rest.split('?').next()?.rsplit_once('@')?.1,
        _ => return None,
    };
    let host: String = host.trim_matches('.').chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let host = host.trim();
    if host.is_empty() {
        return None;
    }
    let number = host.split('.').next_back().is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
    Some(if number { host } else { bayleaf_domains::registrable(host).unwrap_or(host) }.to_owned())
}

/// Longest host name.
const LONGEST: usize = 255;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_registered() {
        let all = [
            "http://a.b.Example.co.uk/x?y",
            "HTTP://u@1.2.3.4:80/",
            "mailto:me@mail.example.com?subject=x",
            "//a.example.com/",
            "ht\ntps://exam\tple.com",
            "//",
            "cid:a@b",
        ];
        let found: Vec<_> = all.iter().map(|link| domain(link)).collect();
        let expected = [
            Some("example.co.uk"),
            Some("1.2.3.4"),
            Some("example.com"),
            Some("example.com"),
            Some("example.com"),
            None,
            None,
        ];
        assert_eq!(found, expected.map(|domain| domain.map(str::to_owned)));
    }
}
