//! `warpc run --explore` and `--schedule`: which schedules are run, and what is said of them.

use super::outcome::Failure;
use warpc::{Carried, Diagnostics, Observer, Program, Searched};
use warpc_diag::codes;
use warpc_request::{Options, Request};

/// What exploring came to.
pub struct Schedules {
    /// In words: `24 schedules, all`.
    pub words: String,
    schedules: u64,
    runs: u64,
    most: u64,
    left: u64,
    is_all: bool,
}

impl Schedules {
    fn of(searched: &Searched, most: u64) -> Schedules {
        Schedules {
            words: searched.words(most),
            schedules: searched.schedules,
            runs: searched.runs,
            most,
            left: searched.left,
            is_all: searched.is_all(),
        }
    }

    /// The same for programs.
    pub fn object(&self) -> serde_json::Value {
        serde_json::json!({
            "schedules": self.schedules,
            "runs": self.runs,
            "most": self.most,
            "unexplored": self.left,
            "all": self.is_all,
        })
    }
}

/// Carries out a request in all its schedules, or in one that is given.
pub fn run(
    program: &Program,
    request: &Request,
    options: &Options,
    settings: &warpc::Options,
    watch: &mut dyn Observer,
) -> Result<(Carried, Diagnostics, Option<Schedules>), Failure> {
    let flag = match options.explore {
        Some(_) => "--explore",
        None => "--schedule",
    };
    let others = [
        ("--seeds", options.seeds.is_some()),
        (
            "--schedule",
            flag != "--schedule" && options.schedule.is_some(),
        ),
    ];
    if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
        let message = format!("`{flag}` and `{other}` exclude each other");
        let help = "`--seeds` runs schedules at random, `--explore` all, `--schedule` one of these";
        return Err(Failure::plain(codes::BAD_SPEC, message, help));
    }
    if settings.run.place == warpc::Place::Gpu {
        let help = format!("a GPU chooses its own schedules: leave `--on gpu` or `{flag}` out");
        let message = format!("`{flag}` is for the emulator");
        return Err(Failure::plain(codes::BAD_SPEC, message, help));
    }
    if let Some(most) = options.explore {
        let mut searched = program.explore_all(request, most, settings);
        let found = searched.diagnostics();
        let told = Schedules::of(&searched, most);
        let first = std::mem::take(&mut searched.first);
        return Ok((first, found, Some(told)));
    }
    let text = options.schedule.as_deref().unwrap_or_default();
    let schedule = text.parse().map_err(|why: String| {
        let message = format!("invalid value '{text}' for `--schedule`: {why}");
        Failure::plain(codes::BAD_SPEC, message, "give what `--explore` has shown")
    })?;
    let mut carried = program.follow(request, &schedule, settings, watch);
    let found = std::mem::take(&mut carried.found);
    Ok((carried, found, None))
}
