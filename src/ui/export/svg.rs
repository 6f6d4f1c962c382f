//! A frame of the stage as a picture that stands alone.
//!
//! The stage is drawn once, by the page; a picture is what the browser made of it, written down:
//! elements with their geometry, and what the stylesheet gave them as attributes. So there is no
//! second description of the stage, and the file needs neither script nor stylesheet. Reading the
//! page is the part of `src/ui/share`; here is what needs no browser.

/// What styles an element of a picture, and whether an element gets it from the one around it.
pub const PROPERTIES: [(&str, bool); 15] = [
    ("fill", true),
    ("fill-opacity", true),
    ("stroke", true),
    ("stroke-width", true),
    ("stroke-opacity", true),
    ("stroke-dasharray", true),
    ("stroke-linecap", true),
    ("stroke-linejoin", true),
    ("paint-order", true),
    ("font-family", true),
    ("font-size", true),
    ("font-weight", true),
    ("text-anchor", true),
    ("letter-spacing", true),
    ("opacity", false),
];

/// A value as every reader of SVG understands it: `rgb(0, 114, 178)` is `#0072b2`.
pub fn plain(value: &str) -> String {
    let channels = value.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let numbers: Vec<u8> = channels
        .map(|list| list.split(',').filter_map(|number| number.trim().parse().ok()).collect())
        .unwrap_or_default();
    match numbers[..] {
        [red, green, blue] => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => value.to_string(),
    }
}

/// A text as it stands in XML, also between quotation marks.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write these.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// What is written above the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caption {
    /// What is shown: verb, algorithm, ranks.
    pub title: String,
    /// Where in it.
    pub step: String,
    /// Whose run it is: what the numbers are.
    pub source: String,
    /// All of it in a sentence, for those who do not see it.
    pub sentence: String,
}

/// The colours around the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colours {
    /// The ground.
    pub ground: String,
    /// The title.
    pub ink: String,
    /// The rest.
    pub secondary: String,
    /// The step.
    pub tone: String,
}

/// Room for the caption, in pixels.
pub const HEAD: usize = 40;

/// A picture `width` pixels wide: the caption above `stage`, an `<svg>` of `height` pixels that
/// begins with `<svg ` and inherits `font`, a list of names.
pub fn picture(
    caption: &Caption,
    colours: &Colours,
    font: &str,
    stage: &str,
    (width, height): (usize, usize),
) -> String {
    let whole = height + HEAD;
    let [title, step, source, sentence, font] =
        [&caption.title, &caption.step, &caption.source, &caption.sentence, font].map(|t| {
            let text: &str = t;
            escaped(text)
        });
    let Colours { ground, ink, secondary, tone } = colours;
    let end = width - 16;
    let stage = stage.replacen("<svg ", &format!("<svg y=\"{HEAD}\" "), 1);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{whole}\" \
         viewBox=\"0 0 {width} {whole}\" role=\"img\" font-family=\"{font}\">\n\
         <title>{title}, {step}</title>\n<desc>{sentence}</desc>\n\
         <rect width=\"{width}\" height=\"{whole}\" fill=\"{ground}\"/>\n\
         <text x=\"16\" y=\"26\" font-size=\"14\" font-weight=\"650\" fill=\"{ink}\">{title}\
         <tspan dx=\"14\" font-size=\"13\" fill=\"{tone}\">{step}</tspan></text>\n\
         <text x=\"{end}\" y=\"26\" font-size=\"12\" text-anchor=\"end\" \
         fill=\"{secondary}\">{source}</text>\n{stage}\n</svg>\n"
    )
}
