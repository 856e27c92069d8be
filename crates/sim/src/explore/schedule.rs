//! Schedules as text: which actor comes next where that is not the usual one.
//!
//! A schedule is a list of choices, one for each event of a run. Without any, the actor comes next that has had the fewest
//! events, the lowest of those; so all get on, and a schedule differs from the usual one in few places. The text has these
//! alone: `12:33` chooses thread 33 for event 12 (counted from 0 through all launches), `12:33.1` the first asynchronous
//! copy that thread 33 issued. Threads are counted through the grid, with 32 to each warp.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Who acts: a thread, or a copy that one issued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Actor {
    /// The thread, counted through the grid with 32 to each warp.
    pub thread: u32,
    /// The number of the copy among those that it has issued, from 1 on; 0 for the thread itself.
    pub copy: u32,
}

/// One order of the events of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// By the number of the event, who has it where that is not the usual actor.
    pub choices: BTreeMap<u64, Actor>,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.copy {
            0 => write!(f, "{}", self.thread),
            copy => write!(f, "{}.{copy}", self.thread),
        }
    }
}

/// The text of the schedule without any unusual choice.
const USUAL: &str = "usual";

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.choices.is_empty() {
            return f.write_str(USUAL);
        }
        for (index, (event, actor)) in self.choices.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{event}:{actor}")?;
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedule, String> {
        let mut choices = BTreeMap::new();
        if text == USUAL {
            return Ok(Schedule { choices });
        }
        let mut last = None;
        for piece in text.split(',') {
            let wrong = || {
                format!(
                    "`{piece}` is not a choice such as `12:33` or `12:33.1` (event, thread, copy)"
                )
            };
            let (event, actor) = piece.split_once(':').ok_or_else(wrong)?;
            let (thread, copy) = actor.split_once('.').unwrap_or((actor, "0"));
            let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
            let event = event.parse::<u64>().map_err(|_| wrong())?;
            if last.is_some_and(|last| last >= event) {
                return Err(format!(
                    "the events of a schedule ascend, and `{piece}` does not"
                ));
            }
            last = Some(event);
            let actor = Actor {
                thread: number(thread)?,
                copy: number(copy)?,
            };
            choices.insert(event, actor);
        }
        Ok(Schedule { choices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for text in ["usual", "0:1", "3:33,12:0.2,13:64"] {
            let schedule: Schedule = text.parse().expect("a good text");
            assert_eq!(schedule.to_string(), text);
        }
        for (text, why) in [
            ("", "`` is not a choice"),
            ("x:1", "`x:1` is not a choice"),
            ("1", "`1` is not a choice"),
            ("1:2.x", "`1:2.x` is not a choice"),
            ("1:99999999999", "is not a choice"),
            (
                "5:1,5:2",
                "the events of a schedule ascend, and `5:2` does not",
            ),
        ] {
            let error = text.parse::<Schedule>().expect_err("a bad text");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
