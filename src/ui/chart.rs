//! Charts: busbw over the last readings, and curves over sizes.
//!
//! They are a part of the page of its own (`src/bin/chart.rs`), loaded when there is something to
//! draw, because the plotting library is as large as a tenth of everything else.

use crate::ui::bench::plot::{Colour, Plot, outline};
use crate::ui::text::units;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_canvas::CanvasBackend;

/// Dashes of a line that goes up.
const DASHES: i32 = 24;

/// Draws readings in GB/s, oldest first, on `canvas`; a canvas cannot ask the stylesheet, so the
/// theme is told.
///
/// # Errors
/// What the canvas says when it cannot be drawn on.
pub fn draw(
    canvas: web_sys::HtmlCanvasElement,
    gigabytes: &[f64],
    dark: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let (paper, ink, line) = match dark {
        true => {
            (RGBColor(0x19, 0x1c, 0x22), RGBColor(0xa9, 0xb0, 0xbd), RGBColor(0x7d, 0x9b, 0xff))
        }
        false => {
            (RGBColor(0xff, 0xff, 0xff), RGBColor(0x5a, 0x60, 0x6b), RGBColor(0x2f, 0x5b, 0xea))
        }
    };
    let backend = CanvasBackend::with_canvas_object(canvas).ok_or("no canvas")?;
    let area = backend.into_drawing_area();
    area.fill(&paper)?;
    let top = gigabytes.iter().copied().fold(0.0, f64::max).max(0.001) * 1.15;
    let mut chart = ChartBuilder::on(&area)
        .margin(6)
        .x_label_area_size(4)
        .y_label_area_size(104)
        .build_cartesian_2d(0.0..(gigabytes.len().max(2) - 1) as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .y_labels(4)
        .x_labels(0)
        .y_label_formatter(&|value| units::rate(value * 1000.0))
        .axis_style(ink.mix(0.4))
        .light_line_style(paper)
        .bold_line_style(ink.mix(0.15))
        .label_style(("sans-serif", 18).into_font().color(&ink))
        .draw()?;
    let points = gigabytes.iter().enumerate().map(|(x, &y)| (x as f64, y));
    chart.draw_series(LineSeries::new(points, line.stroke_width(3)))?;
    area.present()?;
    Ok(())
}

/// Draws a chart with logarithmic axes on `canvas`, whose size it takes.
///
/// # Errors
/// What the canvas says when it cannot be drawn on.
pub fn plot(
    canvas: web_sys::HtmlCanvasElement,
    plot: &Plot,
) -> Result<(), Box<dyn std::error::Error>> {
    let pixels = |length: f64| (length * plot.scale).round() as i32;
    let rgb = |(red, green, blue): Colour| RGBColor(red, green, blue);
    let (paper, ink) = (rgb(plot.ground.0), rgb(plot.ground.1));
    let backend = CanvasBackend::with_canvas_object(canvas).ok_or("no canvas")?;
    let area = backend.into_drawing_area();
    area.fill(&paper)?;
    let chart = ChartBuilder::on(&area)
        .margin_left(pixels(74.0))
        .margin_bottom(pixels(26.0))
        .margin_top(pixels(8.0))
        .margin_right(pixels(20.0))
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    let field = chart.plotting_area();
    let at = |place: &(f64, f64)| chart.backend_coord(place);
    let label = |text: &str, pixel: (i32, i32), h, v| {
        let style = ("sans-serif", pixels(12.0)).into_font().color(&ink).pos(Pos::new(h, v));
        area.draw(&Text::new(text.to_string(), pixel, style))
    };
    let stroke = |colour: RGBAColor, width: f64| ShapeStyle {
        color: colour,
        filled: false,
        stroke_width: pixels(width).max(1) as u32,
    };
    let grid = stroke(ink.mix(0.16), 1.0);
    for (place, text) in &plot.y.ticks {
        field.draw(&PathElement::new(vec![(0.0, *place), (1.0, *place)], grid))?;
        let (x, y) = at(&(0.0, *place));
        label(text, (x - pixels(8.0), y), HPos::Right, VPos::Center)?;
    }
    for (place, text) in &plot.x.ticks {
        field.draw(&PathElement::new(vec![(*place, 0.0), (*place, 1.0)], grid))?;
        let (x, y) = at(&(*place, 0.0));
        label(text, (x, y + pixels(8.0)), HPos::Center, VPos::Top)?;
    }
    for mark in &plot.marks {
        for dash in 0..DASHES {
            let ends = [dash * 2, dash * 2 + 1].map(|end| f64::from(end) / f64::from(2 * DASHES));
            let path = ends.map(|end| (*mark, end)).to_vec();
            field.draw(&PathElement::new(path, stroke(ink.mix(0.8), 1.2)))?;
        }
    }
    for curve in &plot.strokes {
        let colour = rgb(curve.colour);
        let line = stroke(colour.to_rgba(), 1.8 + 2.2 * f64::from(curve.wide));
        if curve.foreign {
            for pair in curve.line.chunks_exact(2) {
                field.draw(&PathElement::new(pair.to_vec(), line))?;
            }
        } else if !curve.line.is_empty() {
            field.draw(&PathElement::new(curve.line.clone(), line))?;
        }
        for &(x, y, low, high) in &curve.points {
            field.draw(&PathElement::new(vec![(x, low), (x, high)], line))?;
            let (left, top) = at(&(x, y));
            let corner = |(x, y): (f64, f64)| (left + pixels(4.5 * x), top - pixels(4.5 * y));
            let mut corners: Vec<_> = outline(curve.shape).into_iter().map(corner).collect();
            let fill = if curve.foreign { paper } else { colour };
            area.draw(&Polygon::new(corners.clone(), fill.filled()))?;
            corners.extend(corners.first().copied());
            area.draw(&PathElement::new(corners, stroke(colour.to_rgba(), 1.4)))?;
        }
    }
    area.present()?;
    Ok(())
}
