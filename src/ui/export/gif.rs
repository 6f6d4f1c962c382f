//! Pictures that move.
//!
//! A frame holds the smallest rectangle in which anything has changed, and of it only what has; the
//! rest is see-through. Every frame has its own palette: the colours that most of its pixels have,
//! and for the others the nearest of these. On a stage of flat colours that is nearly everything.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::collections::HashMap;

/// Colours of a frame, beside the see-through one.
const COLOURS: usize = 255;

/// A film in the making.
pub struct Film {
    encoder: Encoder<Vec<u8>>,
    width: usize,
    /// The last picture, as it was given.
    last: Vec<u32>,
}

impl Film {
    /// A film of pictures of this size, which begins again when it is over.
    ///
    /// # Errors
    /// If a picture of this size cannot be.
    pub fn new(width: u16, height: u16) -> Result<Film, EncodingError> {
        let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        // Nothing looks like this, so everything of the first picture is new.
        let last = vec![u32::MAX; usize::from(width) * usize::from(height)];
        Ok(Film { encoder, width: width.into(), last })
    }

    /// Adds a picture, red, green, blue and opacity of each pixel, shown for `delay` hundredths of
    /// a second.
    ///
    /// # Errors
    /// If it is of another size.
    pub fn push(&mut self, rgba: &[u8], delay: u16) -> Result<(), EncodingError> {
        let pixel = |p: &[u8]| u32::from(p[0]) << 16 | u32::from(p[1]) << 8 | u32::from(p[2]);
        let now: Vec<u32> = rgba.chunks_exact(4).map(pixel).collect();
        let (width, height) = (self.width, self.last.len() / self.width.max(1));
        let differs = |&at: &usize| now.get(at) != self.last.get(at);
        let changed: Vec<usize> = (0..self.last.len()).filter(differs).collect();
        let ys = changed.iter().map(|at| at / width);
        let xs = || changed.iter().map(|at| at % width);
        let (top, bottom) = (ys.clone().min().unwrap_or(0), ys.max().unwrap_or(0));
        let (left, right) = (xs().min().unwrap_or(0), xs().max().unwrap_or(0));
        let (palette, index) = palette(changed.iter().filter_map(|&at| now.get(at).copied()));
        let see_through = (palette.len() / 3) as u8;
        let mut buffer = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
        for y in top..=bottom.min(height.saturating_sub(1)) {
            for x in left..=right {
                let at = y * width + x;
                let colour = now.get(at).filter(|_| differs(&at)).and_then(|c| index.get(c));
                buffer.push(colour.copied().unwrap_or(see_through));
            }
        }
        let mut colours = palette;
        colours.extend([0, 0, 0]);
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(see_through),
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            palette: Some(colours),
            buffer: buffer.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame)?;
        self.last = now;
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// None that a file in memory knows.
    pub fn finish(self) -> Result<Vec<u8>, EncodingError> {
        self.encoder.into_inner()
    }
}

/// The most frequent of these colours as a palette, and for every colour its place in it.
fn palette(pixels: impl Iterator<Item = u32>) -> (Vec<u8>, HashMap<u32, u8>) {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    pixels.for_each(|colour| *counts.entry(colour).or_default() += 1);
    let mut colours: Vec<(usize, u32)> = counts.into_iter().map(|(c, n)| (n, c)).collect();
    colours.sort_unstable_by(|a, b| b.cmp(a));
    let kept: Vec<u32> = colours.iter().take(COLOURS).map(|&(_, colour)| colour).collect();
    let nearest = |colour: u32| {
        let distance = |other: u32| -> i32 {
            let part = |shift: u32| (colour >> shift & 255) as i32 - (other >> shift & 255) as i32;
            [16, 8, 0].map(|shift| part(shift) * part(shift)).iter().sum()
        };
        let best = (0..kept.len()).min_by_key(|&at| distance(kept[at]));
        best.unwrap_or(0) as u8
    };
    let of = |(at, &(_, colour)): (usize, &(usize, u32))| {
        (colour, if at < COLOURS { at as u8 } else { nearest(colour) })
    };
    let index = colours.iter().enumerate().map(of).collect();
    let bytes = kept.iter().flat_map(|c| [(c >> 16) as u8, (c >> 8) as u8, *c as u8]).collect();
    (bytes, index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader of the format sees, picture by picture.
    fn seen(file: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).expect("a GIF");
        let width = usize::from(decoder.width());
        let (mut canvas, mut pictures) = (vec![0; size * 4], Vec::new());
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let (w, left) = (usize::from(frame.width), usize::from(frame.left));
                let at = ((usize::from(frame.top) + i / w) * width + left + i % w) * 4;
                if pixel[3] > 0 {
                    canvas[at..at + 4].copy_from_slice(pixel);
                }
            }
            pictures.push(canvas.clone());
        }
        pictures
    }

    #[test]
    fn what_is_filmed_is_seen() {
        let (width, height) = (40u16, 30u16);
        let size = usize::from(width) * usize::from(height);
        let picture = |t: usize| -> Vec<u8> {
            let pixel = |at: usize| {
                let (x, y) = (at % 40, at / 40);
                let moving = x / 5 == t && y > 10;
                if moving { [200, t as u8, 7, 255] } else { [x as u8, 0, 255, 255] }
            };
            (0..size).flat_map(pixel).collect()
        };
        let mut film = Film::new(width, height).expect("it can be");
        // The third picture is the second once more.
        let pictures: Vec<Vec<u8>> = [0, 1, 1, 5].map(picture).into();
        pictures.iter().for_each(|picture| film.push(picture, 6).expect("it fits"));
        let file = film.finish().expect("it is in memory");
        assert_eq!(seen(&file, size), pictures);
    }

    #[test]
    fn of_too_many_colours_the_nearest_is_taken() {
        let pixel = |at: usize| [(at / 32 * 8) as u8, (at % 32 * 8) as u8, 0, 255];
        let picture: Vec<u8> = (0..1024).flat_map(pixel).collect();
        let mut film = Film::new(32, 32).expect("it can be");
        film.push(&picture, 6).expect("it fits");
        let seen = seen(&film.finish().expect("it is in memory"), 1024).remove(0);
        let exact = seen.iter().zip(&picture).filter(|(a, b)| a == b).count();
        assert!(exact > 1024 && seen.chunks_exact(4).all(|pixel| pixel[3] == 255), "{exact}");
    }
}
