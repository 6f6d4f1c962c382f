//! The whole page: top bar, the page that the URL names, footer.

use super::browser::{
    fragment, preferred_lang, preferred_theme, show_lang, show_theme, system_is_dark, use_fragment,
};
use super::glyph::brand;
use super::player::{Player, PoolHandle};
use super::reference::reference;
use super::scenario::{Notice, Page, Scenario, Theme, parse};
use super::shared::Shared;
use super::text::chrome::Chrome as Words;
use super::text::fill;
use crate::runtime::pool::{Phase, Pool, PoolStatus};
use yew::prelude::*;

/// What the URL names.
#[derive(Clone, PartialEq)]
struct Opened {
    page: Page,
    scenario: Shared<(Scenario, Vec<Notice>)>,
}

impl Opened {
    fn new(fragment: &str) -> Opened {
        let (page, scenario, notices) = parse(fragment);
        Opened { page, scenario: Shared::new((scenario, notices)) }
    }
}

/// The page.
#[component]
pub fn App() -> Html {
    let opened = use_state(|| Opened::new(&fragment()));
    let lang = use_state(|| opened.scenario.0.lang.unwrap_or_else(preferred_lang));
    let theme = use_state(|| opened.scenario.0.theme.or_else(preferred_theme));
    let changes = use_force_update();
    let pool = use_memo((), move |()| Pool::new(move || changes.force_update()));
    {
        let (opened, lang, theme) = (opened.clone(), lang.clone(), theme.clone());
        let on_change = use_callback((), move |fragment: String, ()| {
            let next = Opened::new(&fragment);
            if let Some(chosen) = next.scenario.0.lang {
                lang.set(chosen);
            }
            if let Some(chosen) = next.scenario.0.theme {
                theme.set(Some(chosen));
            }
            opened.set(next);
        });
        use_fragment(on_change);
    }
    let words = Words::of(*lang);
    use_effect_with((*lang, *theme), move |(lang, theme)| {
        show_lang(*lang, &format!("Ringscope · {}", Words::of(*lang).tagline), false);
        show_theme(*theme, false);
    });
    let switch_lang = {
        let lang = lang.clone();
        Callback::from(move |_: MouseEvent| {
            show_lang(lang.other(), "Ringscope", true);
            lang.set(lang.other());
        })
    };
    let dark = theme.map_or_else(system_is_dark, |theme| theme == Theme::Dark);
    let switch_theme = {
        let theme = theme.clone();
        Callback::from(move |_: MouseEvent| {
            let next = if dark { Theme::Light } else { Theme::Dark };
            show_theme(Some(next), true);
            theme.set(Some(next));
        })
    };
    let link = |page: Page, href: &'static str, name: &'static str| {
        let current = (opened.page == page).then_some("page");
        html! { <a {href} aria-current={current}>{ name }</a> }
    };
    html! {
        <>
            <a class="skip" href="#content">{ words.skip }</a>
            <header class="topbar">
                <a class="brand" href="#/allreduce" aria-label={words.home}>
                    { brand() }<span>{ "Ringscope" }</span>
                </a>
                <nav class="nav" aria-label={words.pages}>
                    { link(Page::Player, "#/allreduce", words.player) }
                    { link(Page::Reference, "#/reference", words.reference) }
                </nav>
                <div class="topbar-end">
                    <span class="status" role="status">{ status(words, &pool.status()) }</span>
                    <button type="button" class="text-button" lang={lang.other().tag()}
                        title={words.switch_language} onclick={switch_lang}>
                        { lang.other().own_name() }
                    </button>
                    <button type="button" class="text-button" onclick={switch_theme}
                        aria-label={if dark { words.theme_dark } else { words.theme_light }}>
                        { "◐" }
                    </button>
                </div>
            </header>
            if opened.page == Page::Reference {
                { reference(*lang) }
            } else {
                <Player lang={*lang} {dark} opened={opened.scenario.clone()}
                    pool={PoolHandle((*pool).clone())} />
            }
            <footer class="footer">
                <p>{ words.footer_kinds }</p>
                <p>{ words.footer_local }</p>
            </footer>
        </>
    }
}

/// How many workers live.
fn status(words: &Words, status: &PoolStatus) -> String {
    let template = match status.phase {
        Phase::Empty => return words.workers_none.to_string(),
        Phase::Starting => words.workers_starting,
        Phase::Idle | Phase::Running => words.workers_ports,
    };
    fill(template, &[("n", &status.ranks.len())])
}
