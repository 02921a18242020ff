//! What the style sheets of a page say of its elements.

use std::collections::HashMap;

use super::style::{Property, Style, squeeze, uncommented};
use super::tag::{Attribute, Tag};

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
    style: Style,
}

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
                    self.rule(selectors, declarations);
                    behind
                }
            };
        }
    }

    fn rule(&mut self, selectors: &str, declarations: &str) {
        // What lies behind letters may come from a rule that is passed over, so nothing is made of their colour.
        let style = Style::read(declarations).without(Property::Colour);
        if style.is_empty() {
            return;
        }
        for selector in selectors.split(',').map(str::trim).filter(|selector| is_simple(selector)) {
            self.count += 1;
            let rule = self.rules.entry(selector.to_ascii_lowercase()).or_default();
            rule.order = self.count;
            rule.style.cover(style.clone());
        }
    }

    /// The style of an element: that of the sheet, and over it its own.
    pub(super) fn style(&self, tag: &Tag) -> Style {
        if self.rules.is_empty() || tag.closes {
            return tag.style();
        }
        let mut found = Vec::new();
        let mut selector = String::new();
        let mut look = |rank: u8, parts: [&str; 3]| {
            selector.clear();
            selector.extend(parts);
            found.extend(self.rules.get(&selector).map(|rule| (rank, rule)));
        };
        let name = tag.name.as_str();
        look(0, [name, "", ""]);
        let classes = tag.attribute(Attribute::Class).unwrap_or_default().to_ascii_lowercase();
        for class in classes.split_ascii_whitespace().take(CLASSES) {
            look(1, ["", ".", class]);
            look(2, [name, ".", class]);
        }
        if let Some(id) = tag.attribute(Attribute::Id).map(|id| id.to_ascii_lowercase()) {
            look(3, ["", "#", &id]);
            look(4, [name, "#", &id]);
        }
        found.sort_by_key(|(rank, rule)| (*rank, rule.order));
        let mut style = Style::default();
        found.into_iter().for_each(|(_, rule)| style.cover(rule.style.clone()));
        style.cover(tag.style());
        style
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

    fn style(sheet: &str, tag: &str) -> Style {
        let mut all = Sheet::default();
        all.add(sheet);
        Tag::read(tag).map_or_else(Style::default, |tag| all.style(&tag))
    }

    #[test]
    fn rules_for_a_name_a_class_or_an_id_are_read() {
        let no = Style::read("display:none");
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
            assert!(style(&sheet.replace('A', "display:none"), "<p class='x z'>").is_empty(), "{sheet}");
        }
        assert!(style("p{color:white;margin:0}", "<p>").is_empty());
        assert!(style("p{display:none}", "</p>").is_empty());
    }

    #[test]
    fn the_strongest_rule_counts() {
        let height = |sheet: &str, tag: &str| style(sheet, tag).size(Property::Height).map(|(number, _)| number);
        let (id, class, name) = ("#i{height:1}", ".x{height:2}", "p{height:3}");
        for sheet in [format!("{id}{class}{name}"), format!("{name}{id}{class}")] {
            assert_eq!(height(&sheet, "<p>"), Some(3.0));
            assert_eq!(height(&sheet, "<p class=x>"), Some(2.0));
            assert_eq!(height(&sheet, "<p class=x id=i>"), Some(1.0));
            assert_eq!(height(&sheet, "<p class=x id=i style='height:4'>"), Some(4.0));
        }
        assert_eq!(height(".b{height:1}.a{height:2}", "<p class='a b'>"), Some(2.0));
        assert_eq!(height(".a{height:1}.b{height:2}.a{height:3}.b{width:4}", "<p class='a b'>"), Some(2.0));
        assert_eq!(height("p{height:1!important}p{height:2}", "<p style='height:3'>"), Some(1.0));
    }
}
