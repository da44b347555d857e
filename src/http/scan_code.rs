//! A code that a camera reads: a link as a QR code, for a page and for a terminal.

use std::fmt::Write;

use fast_qr::{ECL, QRBuilder, QRCode};

/// The light modules around a code, without which a camera does not find it.
const MARGIN: usize = 4;

/// A text as a QR code. Its text may hold a key, so it has no `Debug`.
pub struct ScanCode(Box<QRCode>);

impl ScanCode {
    /// The most bytes of a text. Beyond that a phone hardly reads the code off a screen.
    pub const MOST: usize = 1_000;

    /// The code of a text; none for a text without a sign, or with more than [`MOST`](Self::MOST) bytes.
    pub fn of(text: &str) -> Option<ScanCode> {
        if !(1..=ScanCode::MOST).contains(&text.len()) {
            return None;
        }
        QRBuilder::new(text).ecl(ECL::M).build().ok().map(|code| ScanCode(Box::new(code)))
    }

    /// The modules on a side, with the margins.
    fn side(&self) -> usize {
        self.0.size + 2 * MARGIN
    }

    /// Whether the module at a place is dark. The margin is light.
    fn is_dark(&self, x: usize, y: usize) -> bool {
        let inside = |place: usize| place.checked_sub(MARGIN).filter(|place| *place < self.0.size);
        match (inside(x), inside(y)) {
            (Some(x), Some(y)) => self.0[y].get(x).is_some_and(|module| module.value()),
            _ => false,
        }
    }

    /// The code as an SVG picture: dark on white also on a dark page, and without its text.
    pub fn svg(&self) -> String {
        let side = self.side();
        let mut path = String::new();
        for y in 0..side {
            let mut x = 0;
            while x < side {
                let dark = (x..side).take_while(|x| self.is_dark(*x, y)).count();
                if dark > 0 {
                    // A write to a text cannot fail.
                    let _ = write!(path, "M{x} {y}h{dark}v1h-{dark}z");
                }
                x += dark + 1;
            }
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
             shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}h-{side}z\"/>\
             <path fill=\"#000\" d=\"{path}\"/></svg>"
        )
    }

    /// The code in lines for a terminal, two modules in each sign. Each line sets its own colours, so that
    /// the code is dark on white in a dark terminal, too.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        for y in (0..self.side()).step_by(2) {
            lines.push_str("\u{1b}[30;107m");
            lines.extend((0..self.side()).map(|x| match (self.is_dark(x, y), self.is_dark(x, y + 1)) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            }));
            lines.push_str("\u{1b}[0m\n");
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules of the smallest code with the standard's three marks in its corners, read off the SVG.
    fn dark_in(svg: &str, side: usize) -> Vec<Vec<bool>> {
        let mut rows = vec![vec![false; side]; side];
        let (_, path) = svg.split_once("fill=\"#000\" d=\"").unwrap();
        for run in path.split('M').skip(1) {
            let numbers: Vec<usize> =
                run.split([' ', 'h', 'v']).take(3).map(|number| number.parse().unwrap()).collect();
            rows[numbers[1]][numbers[0]..numbers[0] + numbers[2]].fill(true);
        }
        rows
    }

    #[test]
    fn a_picture_has_the_modules_of_the_code_with_a_margin_around_them() {
        let code = ScanCode::of("http://192.0.2.7:8080/").unwrap();
        let side = code.side();
        assert_eq!(side, 25 + 2 * MARGIN, "22 bytes have their place in version 2");
        let rows = dark_in(&code.svg(), side);
        for (y, row) in rows.iter().enumerate() {
            for (x, dark) in row.iter().enumerate() {
                assert_eq!(*dark, code.is_dark(x, y), "{x} {y}");
            }
        }
        let mark = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
        for (left, top) in [(MARGIN, MARGIN), (side - MARGIN - 7, MARGIN), (MARGIN, side - MARGIN - 7)] {
            for (y, line) in mark.iter().enumerate() {
                let row: String =
                    rows[top + y][left..left + 7].iter().map(|dark| if *dark { '1' } else { '0' }).collect();
                assert_eq!(row, *line, "{left} {top}");
            }
        }
        let margin = (0..side).flat_map(|at| (0..MARGIN).map(move |depth| (at, depth)));
        assert!(margin.into_iter().all(|(at, depth)| !rows[depth][at] && !rows[at][depth]));
    }

    #[test]
    fn the_lines_of_a_terminal_have_the_same_modules() {
        let code = ScanCode::of("http://192.0.2.7:8080/#key=tu_0123").unwrap();
        let lines = code.lines();
        assert_eq!(lines.lines().count(), code.side().div_ceil(2));
        for (at, line) in lines.lines().enumerate() {
            let line = line.strip_prefix("\u{1b}[30;107m").unwrap().strip_suffix("\u{1b}[0m").unwrap();
            assert_eq!(line.chars().count(), code.side());
            for (x, sign) in line.chars().enumerate() {
                let (upper, lower) = (code.is_dark(x, 2 * at), code.is_dark(x, 2 * at + 1));
                assert_eq!(matches!(sign, '\u{2588}' | '\u{2580}'), upper, "{x} {at}");
                assert_eq!(matches!(sign, '\u{2588}' | '\u{2584}'), lower, "{x} {at}");
            }
        }
    }

    #[test]
    fn a_text_of_1_to_1000_bytes_has_a_code() {
        for (length, has) in [(0, false), (1, true), (1_000, true), (1_001, false), (10_000, false)] {
            assert_eq!(ScanCode::of(&"x".repeat(length)).is_some(), has, "{length}");
        }
        assert!(ScanCode::of(&"\u{e9}".repeat(501)).is_none(), "bytes count, and not letters");
    }
}
