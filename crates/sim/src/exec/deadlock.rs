//! Who waits where, for whom: the report when nobody can go on.

use super::group::Group;
use super::warp::{Fragment, Wait, Warp};
use super::{Env, Trouble, collective, lanes, mbarrier, spin};
use crate::finding::{Finding, Problem, Waiting};
use std::collections::BTreeMap;

/// Nobody in the group can go on, and nobody outside can help.
pub(crate) fn of_group(env: &Env<'_>, group: &Group) -> Box<Finding> {
    finding(env, group, false, Problem::Deadlock)
}

/// Everybody runs in circles: told where the loops look at what others do.
pub(crate) fn circles(env: &Env<'_>, group: &Group) -> Box<Finding> {
    let mut found = finding(env, group, true, Problem::Livelock);
    found.pc = spin::waits_at(&env.program.codes[found.code], found.pc as u32) as usize;
    found
}

/// The run took longer than it may.
pub(crate) fn limit(env: &Env<'_>, group: &Group) -> Box<Finding> {
    finding(env, group, false, |waiting| {
        Problem::Limit(env.limit, waiting)
    })
}

fn finding(
    env: &Env<'_>,
    group: &Group,
    circling: bool,
    problem: impl FnOnce(Vec<Waiting>) -> Problem,
) -> Box<Finding> {
    // Threads at the same place with the same reason are told together.
    let mut places: BTreeMap<(usize, u32, String), u32> = BTreeMap::new();
    let mut first = None;
    for (index, warp) in group.warps.iter().enumerate() {
        for fragment in &warp.fragments {
            let code = warp.frames[fragment.frame].code;
            let reason = reason(env, group, warp, fragment);
            let pc = match fragment.wait {
                Wait::Ready if circling => spin::waits_at(&env.program.codes[code], fragment.pc),
                _ => fragment.pc,
            };
            *places.entry((code, pc, reason)).or_default() += fragment.lanes.count_ones();
            first.get_or_insert((index, fragment.lanes));
        }
    }
    let waiting = places
        .into_iter()
        .map(|((code, pc, reason), threads)| Waiting {
            span: env.program.codes[code].origins[pc as usize].span,
            text: match threads {
                1 => format!("1 thread {}", reason.replacen(' ', "s ", 1)),
                _ => format!("{threads} threads {reason}"),
            },
        })
        .collect();
    let (warp, lanes) = first.unwrap_or((0, 1));
    let trouble = Trouble::of(lanes, problem(waiting));
    group.finding(env, warp, *trouble)
}

/// What a fragment's threads do: a verb, and what for.
fn reason(env: &Env<'_>, group: &Group, warp: &Warp, fragment: &Fragment) -> String {
    match fragment.wait {
        Wait::Ready => "run here".to_owned(),
        Wait::Aligned => {
            let missing = warp.live() & !fragment.lanes;
            format!("wait here for {} of the warp", list(missing))
        }
        Wait::Collective(mask) => {
            let what = |f: &Fragment| collective::operation(warp, env, f).map(|op| op.what);
            let name = what(fragment).map_or("a warp operation", collective::name_of);
            let there: u32 = warp
                .fragments
                .iter()
                .filter(|f| f.wait == fragment.wait && what(f) == what(fragment))
                .fold(0, |mask, f| mask | f.lanes);
            let missing = mask & warp.live() & !there;
            format!("wait at {name} for {} of the warp", list(missing))
        }
        Wait::Barrier(number, _) => {
            let rank = warp.identity.rank as usize;
            let state = &group.shared.barriers[rank].all[usize::from(number)];
            let wanted = match state.wanted {
                0 => "all living threads of the block".to_owned(),
                wanted => format!("{wanted} threads"),
            };
            let reached = match state.arrived {
                1 => "1 has".to_owned(),
                count => format!("{count} have"),
            };
            let exited = match group.shared.barriers[rank].exited() {
                0 => String::new(),
                1 => "; 1 thread of the block has exited".to_owned(),
                count => format!("; {count} threads of the block have exited"),
            };
            format!("wait at barrier {number}, which {reached} reached, for {wanted}{exited}")
        }
        Wait::Cluster(_) => "wait for the other threads of the cluster".to_owned(),
        Wait::Phase {
            rank,
            offset,
            phase,
        } => mbarrier::missing(&group.shared, rank, offset, phase),
        Wait::Columns(columns) => format!("wait for {columns} free columns of tensor memory"),
        Wait::Group { .. } => {
            "wait for products that the other warps of the warpgroup have yet to issue".to_owned()
        }
        Wait::Copies { .. } => "wait for copies".to_owned(),
    }
}

/// `lanes 0-3, 7`
fn list(mask: u32) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for lane in lanes(mask) {
        match parts.last_mut() {
            Some((_, end)) if *end + 1 == lane => *end = lane,
            _ => parts.push((lane, lane)),
        }
    }
    let text = |(start, end): &(usize, usize)| {
        if start == end {
            start.to_string()
        } else {
            format!("{start}-{end}")
        }
    };
    let list = parts.iter().map(text).collect::<Vec<_>>().join(", ");
    match mask.count_ones() {
        1 => format!("lane {list}"),
        _ => format!("lanes {list}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists() {
        assert_eq!(super::list(0x8000_008f), "lanes 0-3, 7, 31");
        assert_eq!(super::list(u32::MAX), "lanes 0-31");
    }
}
