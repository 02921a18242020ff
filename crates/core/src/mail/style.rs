//! What a style says of whether text is seen.

use std::borrow::Cow;

/// A property that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Background,
    BackgroundColour,
    Colour,
    Display,
    FontSize,
    Height,
    MaxHeight,
    MaxWidth,
    MsoHide,
    Opacity,
    Overflow,
    Visibility,
    Width,
}

use Property::{
    Background, BackgroundColour, Colour, Display, FontSize, Height, MaxHeight, MaxWidth, MsoHide, Opacity, Overflow,
    Visibility, Width,
};

const NAMES: [(&str, Property); 13] = [
    ("background", Background),
    ("background-color", BackgroundColour),
    ("color", Colour),
    ("display", Display),
    ("font-size", FontSize),
    ("height", Height),
    ("max-height", MaxHeight),
    ("max-width", MaxWidth),
    ("mso-hide", MsoHide),
    ("opacity", Opacity),
    ("overflow", Overflow),
    ("visibility", Visibility),
    ("width", Width),
];

/// Bytes of a value that count, in small letters and without blanks: a picture has a long name.
const VALUE: usize = 32;

/// The last value of each property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Style(Vec<Declaration>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Declaration {
    property: Property,
    value: String,
    /// Is it marked to go before others?
    important: bool,
}

impl Style {
    /// Of declarations as they are written.
    pub(super) fn read(source: &str) -> Self {
        let mut style = Self::default();
        uncommented(source).split(';').filter_map(Declaration::read).for_each(|next| style.put(next));
        style
    }

    /// Puts another style over this one: it counts, but for what goes before others.
    pub(super) fn cover(&mut self, other: Self) {
        other.0.into_iter().for_each(|next| self.put(next));
    }

    /// The style without what it says of a property.
    pub(super) fn without(mut self, property: Property) -> Self {
        self.0.retain(|declaration| declaration.property != property);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn value(&self, property: Property) -> Option<&str> {
        self.0.iter().find(|declaration| declaration.property == property).map(|declaration| declaration.value.as_str())
    }

    /// Number and unit of a property.
    pub(super) fn size(&self, property: Property) -> Option<(f64, &str)> {
        self.value(property).and_then(number)
    }

    fn put(&mut self, next: Declaration) {
        match self.0.iter_mut().find(|declaration| declaration.property == next.property) {
            None => self.0.push(next),
            Some(before) if before.important && !next.important => (),
            Some(before) => *before = next,
        }
    }
}

impl Declaration {
    /// None if it is not read, or is not what the property can be, which browsers pass over.
    fn read(source: &str) -> Option<Self> {
        let (name, value) = source.split_once(':')?;
        let name = name.trim();
        let property = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1;
        let value = squeeze(value);
        let (value, important) =
            value.strip_suffix("!important").map_or((value.as_str(), false), |value| (value, true));
        let is_size =
            !matches!(property, Background | BackgroundColour | Colour | Display | MsoHide | Overflow | Visibility);
        if is_size && number(value).is_none() {
            return None;
        }
        Some(Self { property, value: value.chars().take(VALUE).collect(), important })
    }
}

fn number(value: &str) -> Option<(f64, &str)> {
    let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    number.parse().ok().map(|size| (size, &value[number.len()..]))
}

/// Small letters without blanks.
pub(super) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}

/// The style without comments.
pub(super) fn uncommented(style: &str) -> Cow<'_, str> {
    if !style.contains("/*") {
        return Cow::Borrowed(style);
    }
    let mut rest = style;
    let mut kept = String::with_capacity(style.len());
    while let Some((before, behind)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}
