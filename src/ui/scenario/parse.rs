//! From a URL's fragment to a scenario.

use super::notice::short;
use super::rules::{Editor, FIELDS};
use super::*;

/// Longest fragment that is read, in bytes: more than the longest that is ever written.
pub const MAX_FRAGMENT: usize = 64 << 10;

/// Reads a fragment (`#/allreduce?n=4`, with or without the `#`).
pub fn parse(fragment: &str) -> (Page, Scenario, Vec<Notice>) {
    let mut notices = Vec::new();
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if fragment.len() > MAX_FRAGMENT {
        notices.push(Notice::TooLong { field: "link", found: fragment.len(), most: MAX_FRAGMENT });
        return (Page::Player, Scenario::default(), notices);
    }
    let (path, query) = fragment.split_once('?').unwrap_or((fragment, ""));
    let name = path.trim_matches('/');
    let (page, verb) = target(name).unwrap_or_else(|| {
        notices.push(Notice::UnknownPage { name: short(name) });
        FIRST
    });
    let given = Given::read(query, &mut notices);
    let base = Scenario::default().with_verb(verb);
    let (scenario, found) = given.apply(base);
    notices.extend(found);
    (page, scenario, notices)
}

/// Where a link without a path, or with one that leads nowhere, leads.
const FIRST: (Page, Verb) = (Page::Player, Verb::AllReduce);

/// The page and the verb of this name.
fn target(name: &str) -> Option<(Page, Verb)> {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    match Page::ALL.into_iter().find(|page| is(page.name())) {
        Some(page) => Some((page, Verb::AllReduce)),
        None => Some((Page::Player, Verb::ALL.into_iter().find(|verb| is(verb.name()))?)),
    }
}

/// Whether two fragments lead to the same page and the same verb.
pub fn same_target(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|fragment| {
        let path = fragment.split('?').next().unwrap_or_default();
        target(path.trim_matches(['#', '/'])).unwrap_or(FIRST)
    });
    a == b
}

/// The known fields of a query, each at most once.
struct Given(Vec<(Field, String)>);

impl Given {
    fn read(query: &str, notices: &mut Vec<Notice>) -> Given {
        let mut given: Vec<(Field, String)> = Vec::new();
        let mut unknown: Vec<String> = Vec::new();
        let mut twice: Vec<Field> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match FIELDS.into_iter().find(|field| field.eq_ignore_ascii_case(&name)) {
                None => unknown.push(short(&name)),
                Some(field) if given.iter().any(|(seen, _)| *seen == field) => twice.push(field),
                Some(field) => given.push((field, value.into_owned())),
            }
        }
        let twice = FIELDS.into_iter().filter(|field| twice.contains(field));
        notices.extend(twice.map(|field| Notice::Twice { field }));
        let more = unknown.len().saturating_sub(1);
        let first = unknown.into_iter().next();
        notices.extend(first.map(|name| Notice::UnknownField { name, more }));
        Given(given)
    }

    /// All fields, in the order in which they depend on each other.
    fn apply(&self, base: Scenario) -> (Scenario, Vec<Notice>) {
        let mut editor = Editor::by_link(base);
        let mut shaped = false;
        for field in FIELDS {
            let Some((_, value)) = self.0.iter().find(|(given, _)| *given == field) else {
                continue;
            };
            let seeded = matches!(editor.scenario.data, Data::Bytes(_));
            let with = match field {
                "shape" | "len" | "dim" | "data" if seeded => Some("size"),
                "len" if shaped => Some("shape"),
                _ => None,
            };
            match with {
                Some(with) => editor.notices.push(Notice::Conflict { field, with }),
                None => {
                    let before = editor.notices.len();
                    editor.set(field, value);
                    shaped |= field == "shape" && editor.notices.len() == before;
                }
            }
        }
        (editor.scenario, editor.notices)
    }
}
