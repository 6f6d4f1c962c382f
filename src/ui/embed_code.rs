//! What another page writes to show a scenario: docs/embed.md.

/// A link's halves: the address of the page, and the scenario behind `#/`.
fn halves(link: &str) -> (&str, &str) {
    link.split_once("#/").unwrap_or((link, ""))
}

/// Text between the double quotes of an attribute.
fn quoted(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// The element that shows what `link` leads to.
///
/// ```
/// use ringscope::ui::embed_code::element;
///
/// assert_eq!(
///     element("https://example.org/ringscope/#/reduce?n=8&step=3"),
///     "<script src=\"https://example.org/ringscope/embed.js\" async></script>\n\
///      <ring-scope scenario=\"reduce?n=8&amp;step=3\"></ring-scope>\n",
/// );
/// ```
pub fn element(link: &str) -> String {
    let (page, scenario) = halves(link);
    // The script lies beside the page, whose address may name its file.
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (folder, scenario) = (quoted(folder), quoted(scenario));
    format!(
        "<script src=\"{folder}/embed.js\" async></script>\n\
         <ring-scope scenario=\"{scenario}\"></ring-scope>\n"
    )
}

/// A frame that shows what `link` leads to; `title` says what that is.
pub fn frame(link: &str, title: &str) -> String {
    let (page, scenario) = halves(link);
    let (page, scenario, title) = (quoted(page), quoted(scenario), quoted(title));
    format!(
        "<iframe src=\"{page}?embed=1#/{scenario}\" title=\"{title}\"\n  \
         width=\"100%\" height=\"560\" style=\"border: 0\" loading=\"lazy\"></iframe>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_looked_for_beside_the_page() {
        let code = element("http://localhost:8080/docs/index.html#/reduce");
        assert!(code.starts_with("<script src=\"http://localhost:8080/docs/embed.js\""), "{code}");
    }

    #[test]
    fn a_frame_has_the_scenario_behind_the_mark_of_embedding() {
        let code = frame("https://example.org/r/#/reduce?n=8&step=3", "Reduce");
        let src = "src=\"https://example.org/r/?embed=1#/reduce?n=8&amp;step=3\" title=\"Reduce\"";
        assert!(code.contains(src), "{code}");
    }

    #[test]
    fn nothing_in_a_link_ends_its_attribute() {
        let link = "https://example.org/\"><b>/#/reduce?\"><script>&x";
        for code in [element(link), frame(link, "\"><i>")] {
            for bad in ["\"><b>", "\"><script>", "\"><i>", "&x"] {
                assert!(!code.contains(bad), "{code}");
            }
        }
    }
}
