//! What a style says. The questions want it squeezed.

/// Number and unit of a property in a squeezed style.
pub(super) fn size<'s>(style: &'s str, name: &str) -> Option<(f64, &'s str)> {
    let numbers = rules(style, name).filter_map(|(value, first)| {
        let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        number.parse().ok().map(|size: f64| ((size, &value[number.len()..]), first))
    });
    strongest(numbers)
}

/// The value of a property in a squeezed style.
pub(super) fn rule<'s>(style: &'s str, name: &str) -> Option<&'s str> {
    strongest(rules(style, name))
}

/// All values of a property, and whether each is marked to go before others.
fn rules<'s>(style: &'s str, name: &str) -> impl Iterator<Item = (&'s str, bool)> {
    style
        .split(';')
        .filter_map(move |rule| rule.strip_prefix(name))
        .map(|value| value.strip_suffix("!important").map_or((value, false), |value| (value, true)))
}

/// The last value, unless one before it is marked and it is not.
fn strongest<T>(values: impl Iterator<Item = (T, bool)>) -> Option<T> {
    let best = values.reduce(|best, next| if best.1 && !next.1 { best } else { next });
    best.map(|(value, _)| value)
}

/// Lower case without blanks and comments.
pub(super) fn squeeze(style: &str) -> String {
    let kept = uncommented(style);
    kept.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}

/// The style without comments.
pub(super) fn uncommented(style: &str) -> String {
    let mut rest = style;
    let mut kept = String::with_capacity(style.len());
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept
}
