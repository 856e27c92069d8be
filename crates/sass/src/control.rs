//! The control word: what ptxas tells the scheduler of the chip with each instruction.

/// When the next instruction of the warp may be issued, and what this one waits for and signals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    /// Cycles until the next instruction of the warp.
    pub stall: u8,
    /// Whether the warp would rather go on than yield to another. The bit is stored the other way round: 0 yields.
    pub keep: bool,
    /// The scoreboard that is released when the result is there; 7 is none.
    pub write: u8,
    /// The scoreboard that is released when the operands have been read; 7 is none.
    pub read: u8,
    /// The scoreboards that are waited for.
    pub wait: u8,
    /// The operands that stay in the operand cache.
    pub reuse: u8,
}

/// Its first bit.
const FIRST: u32 = 105;
/// All bits of the control word.
pub const MASK: u128 = 0x1f_ffff << FIRST;
/// The bits that the control word always has: which operands are kept stands with the operands.
pub(crate) const SCHEDULE: u128 = 0x1_ffff << FIRST;

impl Control {
    /// Nothing waited for or signalled, no cycles: what an instruction has before it is scheduled.
    pub const UNSCHEDULED: Control = Control {
        stall: 0,
        keep: false,
        write: 7,
        read: 7,
        wait: 0,
        reuse: 0,
    };

    /// The control word of an instruction.
    pub fn of(word: u128) -> Control {
        let bits = (word >> FIRST) as u32;
        let part = |first: u32, width: u32| (bits >> first & ((1 << width) - 1)) as u8;
        Control {
            stall: part(0, 4),
            keep: part(4, 1) == 1,
            write: part(5, 3),
            read: part(8, 3),
            wait: part(11, 6),
            reuse: part(17, 4),
        }
    }

    /// Whether a chip has such a control word. Only a warp that keeps going can leave operands in the cache, and it
    /// waits for 1 to 11 cycles.
    pub fn is_legal(self) -> bool {
        match self.keep {
            true => (1..=11).contains(&self.stall),
            false => self.reuse == 0,
        }
    }

    /// An instruction with this control word.
    pub fn put(self, word: u128) -> u128 {
        let parts = [
            (self.stall, 4),
            (self.keep.into(), 1),
            (self.write, 3),
            (self.read, 3),
            (self.wait, 6),
            (self.reuse, 4),
        ];
        let (mut bits, mut at) = (0u32, 0);
        for (value, width) in parts {
            bits |= (u32::from(value) & ((1 << width) - 1)) << at;
            at += width;
        }
        word & !MASK | u128::from(bits) << FIRST
    }
}

impl std::fmt::Display for Control {
    /// `B--2-----:R-:W0:Y:S04`, the way people who read SASS write it; reuse stands with the registers.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("B")?;
        for barrier in 0..6 {
            match self.wait >> barrier & 1 {
                1 => write!(f, "{barrier}")?,
                _ => f.write_str("-")?,
            }
        }
        let board = |number: u8| match number {
            7 => "-".to_owned(),
            number => number.to_string(),
        };
        let keep = if self.keep { "-" } else { "Y" };
        let (read, write) = (board(self.read), board(self.write));
        write!(f, ":R{read}:W{write}:{keep}:S{:02}", self.stall)
    }
}

impl std::str::FromStr for Control {
    type Err = String;

    /// Reads what [`Display`](std::fmt::Display) writes. The error says which part is wrong.
    fn from_str(text: &str) -> Result<Control, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let [wait, read, write, keep, stall] = parts[..] else {
            return Err("a control word has five parts, like `B--2---:R-:W0:Y:S04`".to_owned());
        };
        let part = |text: &'_ str, letter: char| {
            let rest = text.strip_prefix(letter).map(str::to_owned);
            rest.ok_or_else(|| format!("`{text}` must start with `{letter}`"))
        };
        let board = |text: &str, letter: char| match part(text, letter)?.as_str() {
            "-" => Ok(7),
            number => {
                let number = number.parse().ok().filter(|number| *number < 7);
                number.ok_or_else(|| format!("`{text}` names no scoreboard from 0 to 5, nor `-`"))
            }
        };
        let waits = part(wait, 'B')?;
        let wrong_wait = || {
            format!("`{wait}` wants six places like `B--2---`: a scoreboard's own number, or `-`")
        };
        if waits.chars().count() != 6 {
            return Err(wrong_wait());
        }
        let mut mask = 0;
        for (place, sign) in waits.chars().enumerate() {
            match sign.to_digit(10) {
                Some(number) if number as usize == place => mask |= 1 << place,
                None if sign == '-' => {}
                _ => return Err(wrong_wait()),
            }
        }
        let stall_cycles = part(stall, 'S')?.parse().ok().filter(|cycles| *cycles < 16);
        Ok(Control {
            stall: stall_cycles
                .ok_or_else(|| format!("`{stall}` wants 0 to 15 cycles, like `S04`"))?,
            keep: match keep {
                "Y" => false,
                "-" => true,
                _ => return Err(format!("`{keep}` is neither `Y` (yield) nor `-`")),
            },
            write: board(write, 'W')?,
            read: board(read, 'R')?,
            wait: mask,
            reuse: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for bits in [0, 0x1_ffff, 0x7e0, 0x1_2345, 0xa5a5] {
            let control = Control::of(bits << 105);
            assert_eq!(control.to_string().parse(), Ok(control), "{control}");
        }
        for wrong in [
            "",
            "B------:R-:W-:Y",
            "B1-----:R-:W-:Y:S00",
            "B------:R8:W-:Y:S00",
            "B------:R-:W-:Y:S16",
        ] {
            assert!(wrong.parse::<Control>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn out_and_in() {
        // IMAD R0, R5, R0, 0x7, as ptxas wrote it.
        let word = 0x001f_ca00_078e_0200_u128 << 64 | 0x0000_0007_0500_7424;
        let control = Control::of(word);
        assert_eq!(control.to_string(), "B0-----:R-:W-:Y:S05");
        assert_eq!(control.put(0), word & MASK);
        assert_eq!(control.put(word), word);
    }

    #[test]
    fn what_a_chip_has() {
        let all = |keep, stall, reuse| Control {
            keep,
            stall,
            reuse,
            ..Control::UNSCHEDULED
        };
        assert!(all(true, 11, 7).is_legal() && all(false, 15, 0).is_legal());
        assert!(!all(true, 12, 0).is_legal() && !all(true, 0, 0).is_legal());
        assert!(!all(false, 4, 1).is_legal());
    }
}
