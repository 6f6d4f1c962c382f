//! The throughput chart: busbw over the last readings.
//!
//! It is a part of the page of its own (`src/bin/chart.rs`), loaded when there is something to
//! draw, because the plotting library is as large as a tenth of everything else.

use crate::ui::text::units;
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;

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
