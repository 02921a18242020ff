//! Number types that a batch may hold.

/// A cell of a batch. Sums are always float64, whatever comes in.
pub trait Value: Copy + Send + Sync + 'static {
    /// The value as float64; exact for integers up to 2^53.
    fn float(self) -> f64;

    /// The value cut to a whole number; something below 0 where it is missing.
    fn whole(self) -> i64;

    /// Whether the value is a category code as it is: whole, finite and not negative.
    fn is_code(self) -> bool;

    /// The value as a category code, cut to a whole number; None when it is missing, negative or infinite.
    fn code(self) -> Option<i64>;

    /// The row itself when it already holds float64.
    fn floats(row: &[Self]) -> Option<&[f64]> {
        let _ = row;
        None
    }
}

impl Value for f64 {
    #[inline(always)]
    fn float(self) -> f64 {
        self
    }

    #[inline(always)]
    fn whole(self) -> i64 {
        if self.is_nan() { -1 } else { self as i64 }
    }

    #[inline(always)]
    fn is_code(self) -> bool {
        self as i64 as f64 == self && self >= 0.0
    }

    #[inline(always)]
    fn code(self) -> Option<i64> {
        (0.0..9e15).contains(&self).then_some(self as i64)
    }

    #[inline(always)]
    fn floats(row: &[f64]) -> Option<&[f64]> {
        Some(row)
    }
}

impl Value for f32 {
    #[inline(always)]
    fn float(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn whole(self) -> i64 {
        f64::from(self).whole()
    }

    #[inline(always)]
    fn is_code(self) -> bool {
        f64::from(self).is_code()
    }

    #[inline(always)]
    fn code(self) -> Option<i64> {
        f64::from(self).code()
    }
}

macro_rules! values {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            #[inline(always)]
            fn float(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn whole(self) -> i64 {
                i64::from(self)
            }

            #[inline(always)]
            fn is_code(self) -> bool {
                i64::from(self) >= 0
            }

            #[inline(always)]
            fn code(self) -> Option<i64> {
                let code = i64::from(self);
                (code >= 0).then_some(code)
            }
        }
    )*};
}

values!(i64, i32, u8);

/// A column number or row pointer of a sparse batch.
pub trait Index: Copy + Send + Sync + 'static {
    /// The index as usize; negative ones become huge and thus outside of every table.
    fn place(self) -> usize;
}

impl Index for i32 {
    #[inline(always)]
    fn place(self) -> usize {
        self as isize as usize
    }
}

impl Index for i64 {
    #[inline(always)]
    fn place(self) -> usize {
        self as usize
    }
}
