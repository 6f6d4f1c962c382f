//! Reading the two numbers of a loop.

use crate::ui::text::fill;
use crate::ui::text::track::TrackWords;

/// Why two typed numbers are no range of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeError {
    /// Not a whole number.
    NotWhole(String),
    /// A whole number, but no step.
    Outside {
        /// As typed.
        value: String,
        /// The nearest step.
        nearest: usize,
    },
    /// The first step comes after the last.
    Backwards {
        /// The first step.
        from: usize,
        /// The last step.
        to: usize,
    },
}

impl RangeError {
    /// The sentence that says what was typed, the rule and, where there is one, the nearest valid
    /// value.
    pub fn sentence(&self, words: &TrackWords, steps: usize) -> String {
        match self {
            RangeError::NotWhole(value) => {
                fill(words.loop_not_whole, &[("value", value), ("steps", &steps)])
            }
            RangeError::Outside { value, nearest } => {
                let values: [(&str, &dyn std::fmt::Display); 3] =
                    [("value", value), ("steps", &steps), ("nearest", nearest)];
                fill(words.loop_outside, &values)
            }
            RangeError::Backwards { from, to } => {
                fill(words.loop_backwards, &[("from", from), ("to", to)])
            }
        }
    }
}

/// First and last step as typed, counted from 1.
pub fn read(first: &str, last: &str, steps: usize) -> Result<(usize, usize), RangeError> {
    let (from, to) = (step(first, steps)?, step(last, steps)?);
    if from > to {
        return Err(RangeError::Backwards { from, to });
    }
    Ok((from, to))
}

/// A step, counted from 1.
fn step(typed: &str, steps: usize) -> Result<usize, RangeError> {
    const MOST: usize = 20;
    let typed = typed.trim();
    let value = || typed.chars().take(MOST).collect::<String>();
    let digits = typed.strip_prefix('-').unwrap_or(typed);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(RangeError::NotWhole(value()));
    }
    match typed.parse::<usize>() {
        Ok(number) if (1..=steps).contains(&number) => Ok(number),
        Ok(0) => Err(RangeError::Outside { value: value(), nearest: 1 }),
        _ if typed.starts_with('-') => Err(RangeError::Outside { value: value(), nearest: 1 }),
        _ => Err(RangeError::Outside { value: value(), nearest: steps }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_faults_are_named() {
        assert_eq!(read("1", " 3 ", 6), Ok((1, 3)));
        assert_eq!(read("4", "4", 6), Ok((4, 4)));
        assert_eq!(read("x", "3", 6), Err(RangeError::NotWhole("x".into())));
        assert_eq!(read("1.5", "3", 6), Err(RangeError::NotWhole("1.5".into())));
        assert_eq!(read("", "3", 6), Err(RangeError::NotWhole(String::new())));
        assert_eq!(read("5", "2", 6), Err(RangeError::Backwards { from: 5, to: 2 }));
        for (typed, nearest) in [("0", 1), ("-2", 1), ("7", 6), ("99999999999999999999", 6)] {
            let value = typed.to_string();
            assert_eq!(read(typed, "6", 6), Err(RangeError::Outside { value, nearest }));
        }
    }
}
