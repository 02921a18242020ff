//! What the style sheets of a page say of its elements.

use std::collections::HashMap;

use super::style::{squeeze, uncommented};
use super::tag::Tag;

/// The rules for a name, a class or an id, by their selector ("p", ".x", "p.x", "#x", "p#x").
///
/// Rules that ask for more are passed over: elements around, states of a link, widths of a screen.
#[derive(Default)]
pub(super) struct Sheet {
    rules: HashMap<String, Rule>,
    /// Selectors seen so far.
    count: usize,
}

#[derive(Default)]
struct Rule {
    /// Of rules that weigh the same the later counts.
    order: usize,
    /// What it says of each property, if it says anything.
    values: [Option<String>; PROPERTIES.len()],
}

/// Properties that tell whether text is seen. Not the colour of letters: what lies behind them may come from a rule that is
/// passed over.
const PROPERTIES: [&str; 11] = [
    "display:",
    "visibility:",
    "font-size:",
    "opacity:",
    "max-height:",
    "max-width:",
    "height:",
    "width:",
    "overflow:",
    "background:",
    "background-color:",
];
/// Bytes of a value that count: a picture has a long name.
const VALUE: usize = 32;
/// Classes of one element that are looked at.
const CLASSES: usize = 16;

impl Sheet {
    /// Takes what stands between `<style>` and `</style>`.
    pub(super) fn add(&mut self, source: &str) {
        let source = uncommented(source).replace("<!--", "").replace("-->", "");
        let mut rest = source.as_str();
        while let Some((before, block)) = rest.split_once('{') {
            // Before it may stand the end of a block, or an at-rule without one.
            let selectors = before.rsplit([';', '}']).next().unwrap_or(before).trim();
            rest = match selectors.strip_prefix('@').map(squeeze).as_deref() {
                Some("mediaall" | "mediascreen" | "mediaonlyscreen") => block,
                Some(_) => behind(block),
                None => {
                    let (declarations, behind) = block.split_once('}').unwrap_or((block, ""));
                    self.rule(selectors, &squeeze(declarations));
                    behind
                }
            };
        }
    }

    fn rule(&mut self, selectors: &str, declarations: &str) {
        for selector in selectors.split(',').map(str::trim).filter(|selector| is_simple(selector)) {
            self.count += 1;
            let rule = self.rules.entry(selector.to_ascii_lowercase()).or_default();
            rule.order = self.count;
            declarations.split(';').for_each(|declaration| rule.declare(declaration));
        }
    }

    /// The squeezed style of an element: that of the sheet, then its own.
    pub(super) fn style(&self, tag: &Tag) -> String {
        let own = tag.style();
        if self.rules.is_empty() || tag.closes {
            return own;
        }
        let name = tag.name.as_str();
        let id = tag.attribute("id").unwrap_or_default().to_ascii_lowercase();
        let classes = tag.attribute("class").unwrap_or_default().to_ascii_lowercase();
        let mut selectors = vec![(0, name.to_owned()), (3, format!("#{id}")), (4, format!("{name}#{id}"))];
        for class in classes.split_ascii_whitespace().take(CLASSES) {
            selectors.extend([(1, format!(".{class}")), (2, format!("{name}.{class}"))]);
        }
        let found = selectors.iter().filter_map(|(rank, selector)| Some((*rank, self.rules.get(selector)?)));
        let mut found: Vec<(u8, &Rule)> = found.collect();
        found.sort_by_key(|(rank, rule)| (*rank, rule.order));
        let mut style = String::new();
        for (property, value) in found.iter().flat_map(|(_, rule)| PROPERTIES.iter().zip(&rule.values)) {
            value.iter().for_each(|value| style.extend([property, value.as_str(), ";"]));
        }
        style + &own
    }
}

impl Rule {
    fn declare(&mut self, declaration: &str) {
        for (property, value) in PROPERTIES.iter().zip(&mut self.values) {
            let Some(new) = declaration.strip_prefix(property) else { continue };
            let is_first = |value: &str| value.ends_with("!important");
            if is_first(new) || !value.as_deref().is_some_and(is_first) {
                *value = Some(new.chars().take(VALUE).collect());
            }
        }
    }
}

/// Is it a name, a class or an id, or a name with one of them?
fn is_simple(selector: &str) -> bool {
    let part = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let (name, rest) = selector.split_at(selector.find(['.', '#']).unwrap_or(selector.len()));
    part(name) && part(rest.trim_start_matches(['.', '#'])) && !selector.is_empty() && rest.len() != 1
}

/// What follows a block and those inside it.
fn behind(block: &str) -> &str {
    let mut depth = 1;
    for (at, byte) in block.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return &block[at + 1..],
            b'}' => depth -= 1,
            _ => (),
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(sheet: &str, tag: &str) -> String {
        let mut all = Sheet::default();
        all.add(sheet);
        Tag::read(tag).map_or_else(String::new, |tag| all.style(&tag))
    }

    #[test]
    fn rules_for_a_name_a_class_or_an_id_are_read() {
        let no = "display:none;";
        for sheet in [
            "p{display:none}",
            ".x{Display: None}",
            "P.X { display:none }",
            "a, #i,b{a:b;display:none;}",
            "p#i{display:none",
        ] {
            assert_eq!(style(sheet, "<p class='w x' id=I>"), no, "{sheet}");
        }
        for around in
            ["<!--S-->", "@import 'x';S", "/*{*/S", "@media print{a{b:c} d{}}S", "@media screen{S}", "p:hover{a:b}S"]
        {
            assert_eq!(style(&around.replace('S', ".x{display:none}"), "<p class=x>"), no, "{around}");
        }
    }

    #[test]
    fn rules_that_ask_for_more_are_passed_over() {
        for sheet in [
            "p.y{A}",
            "div p{A}",
            "p .x{A}",
            "p:hover{A}",
            ".x.y{A}",
            "@media (max-width:9px){p{A}}",
            "*{A}",
            ".{A}",
            "/*p{A}*/",
        ] {
            assert_eq!(style(&sheet.replace('A', "display:none"), "<p class='x z'>"), "", "{sheet}");
        }
        assert_eq!(style("p{color:white;margin:0}", "<p>"), "");
        assert_eq!(style("p{display:none}", "</p>"), "");
    }

    #[test]
    fn the_strongest_rule_stands_last() {
        let (id, class, name) = ("#i{height:1}", ".x{height:2}", "p{height:3}");
        for sheet in [format!("{id}{class}{name}"), format!("{name}{id}{class}")] {
            assert_eq!(style(&sheet, "<p class=x id=i style='height:4'>"), "height:3;height:2;height:1;height:4");
        }
        assert_eq!(style(".b{height:1}.a{height:2}", "<p class='a b'>"), "height:1;height:2;");
        assert_eq!(
            style(".a{height:1}.b{height:2}.a{height:3}.b{width:4}", "<p class='b a'>"),
            "height:3;height:2;width:4;"
        );
        assert_eq!(style("p{height:1!important}p{height:2}", "<p>"), "height:1!important;");
    }
}
