//! Drawings as SVG: a box for each event, a column for each thread, arrows with their names.

use crate::draw::Drawing;
use std::fmt::Write;
use warpc_model::axioms::Label;

/// Sizes, in pixels.
const CHARACTER: usize = 7;
const BOX_HEIGHT: usize = 26;
const ROW: usize = 56;
const GAP: usize = 90;
const EDGE: usize = 30;
const HEAD: usize = 64;

struct Spot {
    left: usize,
    top: usize,
    width: usize,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn colour(label: Label, in_cycle: bool) -> &'static str {
    match label {
        _ if in_cycle => "#c02020",
        Label::ReadsFrom => "#2060c0",
        Label::Coherence => "#806000",
        Label::FromRead => "#a04000",
        Label::Synchronizes => "#208020",
        _ => "#606060",
    }
}

/// A drawing as a file of SVG.
pub fn svg(drawing: &Drawing, name: &str) -> String {
    let columns = drawing.threads.len();
    let first_row = usize::from(drawing.events.iter().any(|event| event.thread.is_none()));
    let widths: Vec<usize> = (0..columns)
        .map(|thread| {
            let of = drawing
                .events
                .iter()
                .filter(|event| event.thread == Some(thread));
            let longest = of.map(|event| event.text.chars().count() + event.name.len() + 2);
            longest.max().unwrap_or(4).max(6) * CHARACTER + 16
        })
        .collect();
    let mut spots: Vec<Spot> = Vec::new();
    let mut used = vec![0; columns];
    let mut first_left = EDGE;
    for event in &drawing.events {
        spots.push(match event.thread {
            None => {
                let width = (event.text.chars().count() + event.name.len() + 2) * CHARACTER + 16;
                let spot = Spot {
                    left: first_left,
                    top: HEAD,
                    width,
                };
                first_left += width + EDGE;
                spot
            }
            Some(thread) => {
                let left = EDGE
                    + widths[..thread]
                        .iter()
                        .map(|width| width + GAP)
                        .sum::<usize>();
                let row = first_row + used[thread];
                used[thread] += 1;
                Spot {
                    left,
                    top: HEAD + 24 + row * ROW,
                    width: widths[thread],
                }
            }
        });
    }
    let rows = first_row + used.iter().max().copied().unwrap_or(0);
    let needed = EDGE + widths.iter().map(|width| width + GAP).sum::<usize>();
    let title = (drawing.title.len() + name.len() + 2) * CHARACTER + 2 * EDGE;
    let width = needed.max(first_left).max(title).max(320);
    let notes = HEAD + 30 + rows * ROW;
    let height = notes + 20 * drawing.notes.len() + 20;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{EDGE}\" y=\"24\" font-weight=\"bold\">{}: {}</text>",
        escaped(name),
        escaped(&drawing.title)
    );
    out.push_str("<defs>");
    for colour in ["c02020", "2060c0", "806000", "a04000", "208020", "606060"] {
        let _ = write!(
            out,
            "<marker id=\"m{colour}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#{colour}\"/></marker>"
        );
    }
    out.push_str("</defs>\n");
    for (thread, name) in drawing.threads.iter().enumerate() {
        let left = EDGE
            + widths[..thread]
                .iter()
                .map(|width| width + GAP)
                .sum::<usize>();
        let top = HEAD + 16 + first_row * ROW;
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{top}\" fill=\"#404040\">{}</text>",
            escaped(name)
        );
    }
    for (spot, event) in spots.iter().zip(&drawing.events) {
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{BOX_HEIGHT}\" rx=\"4\" fill=\"#f4f4f8\" stroke=\"#404040\"/>\
             <text x=\"{}\" y=\"{}\">{}: {}</text>",
            spot.left,
            spot.top,
            spot.width,
            spot.left + 8,
            spot.top + 17,
            event.name,
            escaped(&event.text)
        );
    }
    for (number, arrow) in drawing.arrows.iter().enumerate() {
        let (from, to) = (&spots[arrow.from], &spots[arrow.to]);
        let colour = colour(arrow.label, arrow.in_cycle);
        let stroke = if arrow.in_cycle { 2 } else { 1 };
        let (path, middle) = route(from, to, number);
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\" marker-end=\"url(#m{})\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\" font-size=\"11\">{}</text>",
            &colour[1..],
            middle.0,
            middle.1,
            arrow.label
        );
    }
    for (at, note) in drawing.notes.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{EDGE}\" y=\"{}\" fill=\"#404040\">{}</text>",
            notes + 20 * at,
            escaped(note)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The way of an arrow, and where its name stands. Arrows between the same boxes are kept apart by their number.
fn route(from: &Spot, to: &Spot, number: usize) -> (String, (usize, usize)) {
    let apart = 8 * (number % 3);
    let centre = |spot: &Spot| spot.top + BOX_HEIGHT / 2;
    if from.left == to.left {
        // In one column, by its right side.
        let x = from.left + from.width;
        let y = to.left + to.width;
        let bend = x.max(y) + 24 + apart;
        let (start, end) = (centre(from), centre(to));
        let path = format!("M{x},{start} C{bend},{start} {bend},{end} {y},{end}");
        return (path, (bend - 10, (start + end) / 2));
    }
    let is_right = to.left > from.left;
    let x = if is_right {
        from.left + from.width
    } else {
        from.left
    };
    let y = if is_right {
        to.left
    } else {
        to.left + to.width
    };
    let (start, end) = (centre(from) + apart / 2, centre(to) + apart / 2);
    let path = format!("M{x},{start} L{y},{end}");
    (path, ((x * 3 + y * 2) / 5, (start * 3 + end * 2) / 5 - 4))
}
