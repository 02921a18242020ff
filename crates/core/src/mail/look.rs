//! How the text inside an element is drawn, as far as it may not be seen.

use super::colour::{Colour, WHITE};
use super::style::{Property, Style};
use super::tag::{Attribute, Tag};

/// What elements hand on to those inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Nothing inside is drawn.
    gone: bool,
    /// Letters are left out, unless an element inside shows its own.
    invisible: bool,
    /// Letters have no size, unless an element inside gives them one: builders of newsletters write this around all text,
    /// so that blanks between columns take no room.
    sizeless: bool,
    /// The colour of letters, if it was told.
    letters: Option<Colour>,
    /// What lies behind them; none if that is a picture, or a colour without a name here.
    behind: Option<Colour>,
}

/// Points or pixels below which nobody reads letters.
const READABLE: f64 = 3.0;

impl Default for Look {
    fn default() -> Self {
        Self { gone: false, invisible: false, sizeless: false, letters: None, behind: Some(WHITE) }
    }
}

impl Look {
    /// Does nobody see text that is drawn so?
    pub(super) fn hides(self) -> bool {
        let vanishes = || self.letters.is_some_and(|letters| letters.vanishes_in(self.behind));
        self.gone || self.invisible || self.sizeless || vanishes()
    }

    /// What it becomes inside that element, whose style is given.
    pub(super) fn inside(self, tag: &Tag, style: &Style) -> Self {
        let mut look = self;
        // Links and, in old mark-up, tables have a colour of their own.
        if tag.name == "table" || (tag.name == "a" && tag.attribute(Attribute::Href).is_some()) {
            look.letters = None;
        }
        if self.gone || (style.is_empty() && tag.is_bare()) {
            return look;
        }
        look.gone = is_gone(tag, style);
        match style.value(Property::Visibility) {
            Some("hidden" | "collapse") => look.invisible = true,
            Some("visible") => look.invisible = false,
            _ => (),
        }
        match style.size(Property::FontSize) {
            Some((0.0, _)) => look.sizeless = true,
            Some((number, "px" | "pt" | "")) => look.sizeless = number < READABLE,
            Some((_, unit)) if !matches!(unit, "em" | "ex" | "%") => look.sizeless = false,
            _ => (),
        }
        look.colour(tag, style);
        look
    }

    fn colour(&mut self, tag: &Tag, style: &Style) {
        let told =
            |property| style.value(property).filter(|value| !matches!(*value, "inherit" | "none")).map(Colour::read);
        let attribute = |name| tag.attribute(name).filter(|value| !value.is_empty());
        let named = match tag.name.as_str() {
            "font" => attribute(Attribute::Colour),
            "body" => attribute(Attribute::Text),
            _ => None,
        };
        if let Some(letters) = told(Property::Colour).or_else(|| named.map(|name| Colour::read(&name))) {
            self.letters = letters;
        }
        let styled = told(Property::BackgroundColour).or_else(|| told(Property::Background));
        let picture = || attribute(Attribute::Background).map(|_| None);
        let painted = || attribute(Attribute::BgColour).map(|name| Colour::read(&name));
        match styled.or_else(picture).or_else(painted) {
            Some(Some(Colour::Clear)) | None => (),
            Some(behind) => self.behind = behind,
        }
    }
}

fn is_gone(tag: &Tag, style: &Style) -> bool {
    let is_zero = |property| style.size(property).is_some_and(|(number, _)| number == 0.0);
    let display = style.value(Property::Display);
    let sides = [Property::MaxHeight, Property::Height, Property::MaxWidth, Property::Width];
    display == Some("none")
        || (display.is_none() && tag.is_hidden())
        || style.value(Property::MsoHide) == Some("all")
        || is_zero(Property::Opacity)
        || (style.value(Property::Overflow) == Some("hidden") && sides.into_iter().any(is_zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hides(style: &str) -> bool {
        let source = format!("<p style=\"{style}\">");
        Tag::read(&source).is_some_and(|tag| Look::default().inside(&tag, &tag.style()).hides())
    }

    #[test]
    fn sizes_of_zero_hide() {
        for style in [
            "font-size:0",
            "a:b; FONT-SIZE : 0.0px;c:d",
            "opacity:0%;",
            "font-size:x;font-size:.0em",
            "font-size:1px",
            "height:0;overflow:hidden",
        ] {
            assert!(hides(style), "{style}");
        }
        for style in [
            "font-size:10px",
            "opacity:0:1",
            "font-size:font-size:1",
            "font-size:",
            "opacity:px",
            "font-size:1em",
            "height:0",
        ] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn what_hides_also_does_so_before_others() {
        for rule in ["font-size:0", "font-size : 0px", "FONT-SIZE:0.0PT", "font-size:0em", "opacity:0", "display:none"]
        {
            for mark in ["!important", " !important;x:y", " ! important ;", "!IMPORTANT", " !\n Important"] {
                assert!(hides(&format!("{rule}{mark}")), "{rule}{mark}");
            }
        }
        assert!(hides("visibility:hidden !important") && hides("MSO-hide:all!important"));
        for style in ["font-size:10px!important", "font-size:!important", "font-size:0!", "opacity:0!important:1"] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn a_colour_is_the_same_before_others() {
        for style in
            ["color:#FFF", "color:#fff!important", "a:b; Color : White ! Important;", "color:rgb(254, 254, 254)"]
        {
            assert!(hides(style), "{style}");
        }
        assert!(hides("color:#000;background:black") && hides("color:#fff;background-color:transparent"));
        assert!(hides("color:#fff;background:none") && !hides("color:#fff;background:url(x)"));
        for style in ["color:#000!important", "color:!important", "color:white;background:#000", "color:#ccc"] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn of_one_property_the_last_counts() {
        for style in [
            "display:none;display:block",
            "display:block!important;display:none",
            "x-display:none",
            "display:nonesuch",
            "/*display:none*/",
            "a:'display:none'",
            "fill-opacity:0",
            "font-size:0;font-size:12px",
            "color:transparent;color:red",
        ] {
            assert!(!hides(style), "{style}");
        }
        for style in
            ["display:block;display:none", "display:none!important;display:block", "display:/**/none", "display:none/*"]
        {
            assert!(hides(style), "{style}");
        }
    }

    #[test]
    fn many_sizes_without_a_number_are_read_in_linear_time() {
        // Each of them looked at all that follows: minutes.
        assert!(!hides(&("font-size:opacity:".repeat(40_000) + &"px".repeat(100_000))));
    }
}
