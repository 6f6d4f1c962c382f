//! Pictures are XML that an independent reader takes.

use ringscope::ui::export::svg::{Caption, Colours, HEAD, escaped, picture, plain};

#[test]
fn colours_are_written_as_every_reader_knows_them() {
    assert_eq!(plain("rgb(0, 114, 178)"), "#0072b2");
    for kept in ["none", "600", "rgba(0, 0, 0, 0.5)", "rgb(1, 2)", "rgb(1, 2, 300)", ""] {
        assert_eq!(plain(kept), kept);
    }
}

#[test]
fn whatever_stands_in_a_caption_the_picture_is_xml_and_says_it() {
    let odd = "a<b & \"c\" > 'd' \u{1} 环";
    let caption =
        Caption { title: odd.into(), step: odd.into(), source: odd.into(), sentence: odd.into() };
    let stage = format!("<svg viewBox=\"0 0 9 9\"><text>{}</text></svg>", escaped(odd));
    let text = picture(&caption, &Colours::default(), odd, &stage, (960, 500));
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    let root = document.root_element();
    assert_eq!(root.attribute("height"), Some((500 + HEAD).to_string().as_str()));
    let found = |tag: &str| {
        let node = root.descendants().find(|node| node.tag_name().name() == tag);
        node.and_then(|node| node.text()).map(str::to_string)
    };
    let readable = odd.replace('\u{1}', "\u{fffd}");
    assert_eq!(found("desc"), Some(readable.clone()));
    assert_eq!(found("title"), Some(format!("{readable}, {readable}")));
    let inner = root.children().find(|node| node.tag_name().name() == "svg").expect("the stage");
    assert_eq!(inner.attribute("y"), Some(HEAD.to_string().as_str()));
}
