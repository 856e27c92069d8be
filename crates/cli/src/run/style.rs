//! Colours for terminals, and numbers for people.

use std::time::Duration;

/// Adds colours, or nothing when standard output is not a terminal.
#[derive(Clone, Copy)]
pub struct Style {
    colours: bool,
}

impl Style {
    /// For standard output.
    pub fn stdout() -> Style {
        Style {
            colours: crate::report::colours(&std::io::stdout()),
        }
    }

    /// No colours.
    pub fn plain() -> Style {
        Style { colours: false }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colours {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// What matters most.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What matters least.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Good news.
    pub fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }
}

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1.5 KB`, in steps of 1024.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if number < 1024 {
        return format!("{number} bytes");
    }
    let mut value = number as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `12.3 ms`
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s >= 100.0 => format!("{} s", grouped(s.round() as u64)),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// `62 million`
pub fn rate(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.0} million", n / 1e6),
        n if n >= 1e4 => format!("{:.0} thousand", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// `16 x 8`, without trailing ones.
pub fn shape(shape: [u32; 3]) -> String {
    let len = shape.iter().rposition(|n| *n != 1).map_or(1, |i| i + 1);
    let texts: Vec<String> = shape[..len].iter().map(u32::to_string).collect();
    texts.join(" x ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(bytes(1000), "1000 bytes");
        assert_eq!(bytes(1536), "1.5 KB");
        assert_eq!(bytes(5 << 30), "5.0 GB");
        assert_eq!(time(Duration::from_micros(1500)), "1.5 ms");
        assert_eq!(time(Duration::from_nanos(900)), "1 µs");
        assert_eq!(time(Duration::from_secs(1234)), "1,234 s");
        assert_eq!(rate(62_300_000.0), "62 million");
        assert_eq!(shape([4, 1, 1]), "4");
        assert_eq!(shape([1, 1, 5]), "1 x 1 x 5");
    }
}
