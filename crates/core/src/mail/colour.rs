//! Colours, as far as letters vanish in them.

/// A colour that the mark-up names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// What lies behind is seen.
    Clear,
    /// Red, green and blue.
    Full([u8; 3]),
}

pub(super) const WHITE: Colour = Colour::Full([255; 3]);

/// Difference in each of red, green and blue up to which nobody reads letters: #f0f0f0 on white.
const NEAR: u8 = 16;

/// Those of HTML 3.2, and "transparent".
#[rustfmt::skip]
const NAMED: [(&str, Colour); 17] = [
    ("aqua", Colour::Full([0, 255, 255])), ("black", Colour::Full([0; 3])), ("blue", Colour::Full([0, 0, 255])),
    ("fuchsia", Colour::Full([255, 0, 255])), ("gray", Colour::Full([128; 3])), ("green", Colour::Full([0, 128, 0])),
    ("lime", Colour::Full([0, 255, 0])), ("maroon", Colour::Full([128, 0, 0])), ("navy", Colour::Full([0, 0, 128])),
    ("olive", Colour::Full([128, 128, 0])), ("purple", Colour::Full([128, 0, 128])), ("red", Colour::Full([255, 0, 0])),
    ("silver", Colour::Full([192; 3])), ("teal", Colour::Full([0, 128, 128])), ("transparent", Colour::Clear),
    ("white", WHITE), ("yellow", Colour::Full([255, 255, 0])),
];

impl Colour {
    /// A name, "#ffffff", "#fff" (also without the "#", as old mark-up has it), or "rgb(255,255,255)"; none if it is anything else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let named = NAMED.iter().find(|(name, _)| *name == text).map(|(_, colour)| *colour);
        named.or_else(|| hex(text.trim_start_matches('#'))).or_else(|| function(&text))
    }

    /// Can nobody read letters of this colour where the other lies behind them?
    pub(super) fn vanishes_in(self, behind: Option<Self>) -> bool {
        match (self, behind) {
            (Self::Clear, _) => true,
            (Self::Full(a), Some(Self::Full(b))) => a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= NEAR),
            _ => false,
        }
    }
}

fn hex(digits: &str) -> Option<Colour> {
    let all = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = all.then(|| u32::from_str_radix(digits, 16).ok())??.to_be_bytes();
    match digits.len() {
        6 => Some(Colour::Full([number[1], number[2], number[3]])),
        3 => Some(Colour::Full([number[2] & 15, number[3] >> 4, number[3] & 15].map(|digit| digit * 17))),
        _ => None,
    }
}

/// "rgb(0, 0, 0)", and "rgba(0, 0, 0, 0)", which is clear.
fn function(text: &str) -> Option<Colour> {
    let inside = text.strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let mut numbers = inside.split(',').map(str::trim);
    let mut channel = || numbers.next()?.parse::<u8>().ok();
    let full = [channel()?, channel()?, channel()?];
    let clear = numbers.next().is_some_and(|share| share.parse() == Ok(0.0));
    Some(if clear { Colour::Clear } else { Colour::Full(full) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_write_white() {
        for text in ["white", " White", "#fff", "#FFFFFF", "ffffff", "rgb(255, 255,255)", "rgba(255,255,255,.5)"] {
            assert_eq!(Colour::read(text), Some(WHITE), "{text}");
        }
        for text in ["", "#", "#ffff", "#ggg", "+ff", "rgb(255,255)", "rgb(a,b,c)", "urn", "#fffurl(x)", "é"] {
            assert_eq!(Colour::read(text), None, "{text}");
        }
        assert_eq!(Colour::read("#a0f"), Colour::read("#AA00FF"));
        assert_eq!(Colour::read("rgba(1,2,3,0)"), Some(Colour::Clear));
    }

    #[test]
    fn letters_vanish_in_nearly_their_colour() {
        let vanishes = |letters, behind| Colour::read(letters).is_some_and(|a| a.vanishes_in(Colour::read(behind)));
        assert!(vanishes("#fefefe", "white") && vanishes("#f0f0f0", "#fff") && vanishes("#101010", "black"));
        assert!(!vanishes("#cccccc", "white") && !vanishes("#ff0", "white") && !vanishes("white", "url(x)"));
        assert!(vanishes("transparent", "white") && !vanishes("white", "transparent"));
    }
}
