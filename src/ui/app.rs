//! The whole page: top bar, the page that the URL names, footer.

use super::browser::{
    fragment, preferred_lang, preferred_theme, show_lang, show_theme, system_is_dark, use_fragment,
    use_written,
};
use super::embed::{embedded, open_link, use_told};
use super::glyph::brand;
use super::page::OtherPage;
use super::player::{Player, PoolHandle};
use super::scenario::{Notice, Page, Scenario, Theme, parse};
use super::shared::Shared;
use super::text::chrome::Chrome as Words;
use super::text::fill;
use crate::runtime::pool::{Phase, Pool, PoolStatus};
use crate::runtime::transport::Via;
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
    let lang = use_state(|| opened.scenario.0.view.lang.unwrap_or_else(preferred_lang));
    let theme = use_state(|| opened.scenario.0.view.theme.or_else(preferred_theme));
    let changes = use_force_update();
    let pool = use_memo((), move |()| Pool::new(move || changes.force_update()));
    {
        let (opened, lang, theme) = (opened.clone(), lang.clone(), theme.clone());
        let on_change = use_callback((), move |fragment: String, ()| {
            let next = Opened::new(&fragment);
            if let Some(chosen) = next.scenario.0.view.lang {
                lang.set(chosen);
            }
            if let Some(chosen) = next.scenario.0.view.theme {
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
    let shown = if dark { Theme::Dark } else { Theme::Light };
    let page = opened.page;
    let switched = || opened.scenario.0.shown_in(*lang, shown).page_fragment(page);
    let beside = (page == Page::Reference).then(switched);
    use_written(beside.clone());
    let guest = beside.filter(|_| embedded());
    use_told(0, 0, false, guest.clone());
    // The other pages have workers of their own, and the memory for workers is one number.
    let leave = pool.clone();
    use_effect_with(page, move |page| {
        if *page != Page::Player {
            leave.cancel();
        }
    });
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
                    { link(Page::Equation, "#/equation", words.equation) }
                    { link(Page::Compare, "#/compare", words.compare) }
                    { link(Page::Bench, "#/bench", words.bench) }
                    { link(Page::Reference, "#/reference", words.reference) }
                </nav>
                <div class="topbar-end">
                    if page == Page::Player { { status(words, &pool.status()) } }
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
            if opened.page == Page::Player {
                <Player lang={*lang} {dark} opened={opened.scenario.clone()}
                    pool={PoolHandle((*pool).clone())} />
            } else {
                <OtherPage key={page.part()} {page} lang={*lang} {dark} />
                if let Some(fragment) = guest { { open_link(*lang, &fragment) } }
            }
            <footer class="footer">
                <p>{ words.footer_kinds }</p>
                <p>{ words.footer_local }</p>
            </footer>
        </>
    }
}

/// How many workers live, and how they exchange messages.
pub fn status(words: &Words, status: &PoolStatus) -> Html {
    let template = match status.phase {
        Phase::Empty => words.workers_none,
        Phase::Starting => words.workers_starting,
        Phase::Idle | Phase::Running => match status.wiring.via {
            Via::Shared => words.workers_shared,
            Via::Ports => words.workers_ports,
        },
    };
    let text = fill(template, &[("n", &status.ranks.len())]);
    html! { <span class="status" role="status">{ text }</span> }
}
