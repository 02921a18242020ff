//! Number types that a batch may hold.

/// A cell of a batch. Sums are always float64, whatever comes in.
pub trait Value: Copy + Send + Sync + 'static {
    /// The value as float64; exact for integers up to 2^53.
    fn float(self) -> f64;

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
    fn floats(row: &[f64]) -> Option<&[f64]> {
        Some(row)
    }
}

macro_rules! values {
    ($($kind:ty),*) => {$(
        impl Value for $kind {
            #[inline(always)]
            fn float(self) -> f64 {
                self as f64
            }
        }
    )*};
}

values!(f32, i64, i32, u8);

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
