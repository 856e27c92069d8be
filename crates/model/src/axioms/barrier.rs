//! Which barriers meet.
//!
//! Barriers of one thread block meet if they are the same barrier, in the same instance where the program names
//! instances, and each thread is there for the same time: its first use meets the first use of the others. A barrier
//! with a count opens after so many arrivals; which ones those were is a choice, and later arrivals pass at once. One
//! without opens when all threads have arrived that have such a barrier in their code. Whoever waits comes after those
//! arrivals. Where nobody can go on there is no meeting at all: threads hang, and the execution does not end.

use super::explore::TooLarge;
use super::graph::Graph;
use super::path::{Happening, Path};
use super::program::{BarrierKind, Inst, Operand, Place, Program};
use super::relation::Relation;

/// The barriers that meet.
#[derive(Debug)]
struct Meeting {
    key: Key,
    members: Vec<Member>,
    /// How many arrivals open it; `None` if it waits for all.
    count: Option<u64>,
    /// Whether a thread that has it in its code does not come.
    lacks: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    place: Place,
    instance: Option<u64>,
    barrier: u64,
    /// The how-manyeth use by each thread.
    turn: usize,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    event: usize,
    thread: usize,
    /// Its place among the barriers of the thread.
    at: usize,
    waits: bool,
}

/// The relations from barriers to those that come after them, one for each choice of who arrived first; none if threads
/// hang. Values are those of expressions, by thread; all that barriers need are known.
pub fn meetings(
    program: &Program,
    graph: &Graph,
    paths: &[&Path],
    values: &[Vec<Option<u64>>],
) -> Result<Vec<Relation>, TooLarge> {
    let mut all = list(graph, paths, values);
    for meeting in &mut all {
        meeting.lacks = meeting.count.is_none() && someone_lacks(program, paths, values, meeting);
    }
    let mut found = Vec::new();
    choose(&all, &mut Vec::new(), graph, &mut found)?;
    Ok(found)
}

/// How many members a meeting has at most whose first arrivals are chosen.
const MAX_CHOSEN: usize = 12;

fn list(graph: &Graph, paths: &[&Path], values: &[Vec<Option<u64>>]) -> Vec<Meeting> {
    let mut all: Vec<Meeting> = Vec::new();
    for (thread, path) in paths.iter().enumerate() {
        let mut uses: Vec<Key> = Vec::new();
        for (step, one) in path.steps.iter().enumerate() {
            let Happening::Barrier {
                kind,
                instance,
                barrier,
                count,
            } = one.what
            else {
                continue;
            };
            let mut key = Key {
                place: graph.places[thread],
                instance,
                barrier: values[thread][barrier].unwrap_or(0),
                turn: 0,
            };
            let earlier = |used: &&Key| Key { turn: 0, ..**used } == key;
            let turn = uses.iter().filter(earlier).count();
            key.turn = turn;
            let member = Member {
                event: graph.event_of[thread][step],
                thread,
                at: uses.len(),
                waits: kind == BarrierKind::Sync,
            };
            uses.push(key);
            let count = count.map(|count| values[thread][count].unwrap_or(0));
            match all.iter_mut().find(|meeting| meeting.key == key) {
                Some(meeting) => {
                    meeting.members.push(member);
                    meeting.count = meeting.count.max(count);
                }
                None => all.push(Meeting {
                    key,
                    members: vec![member],
                    count,
                    lacks: false,
                }),
            }
        }
    }
    all
}

/// Whether a thread of the block has the barrier in its code but does not come to this meeting.
fn someone_lacks(
    program: &Program,
    paths: &[&Path],
    values: &[Vec<Option<u64>>],
    meeting: &Meeting,
) -> bool {
    let key = meeting.key;
    program.threads.iter().enumerate().any(|(at, thread)| {
        let in_code = thread.code.iter().any(|inst| match *inst {
            Inst::Barrier {
                instance,
                barrier: Operand::Constant(barrier),
                ..
            } => (instance, barrier) == (key.instance, key.barrier),
            _ => false,
        });
        let uses = paths[at].steps.iter().filter(|step| match step.what {
            Happening::Barrier {
                instance, barrier, ..
            } => instance == key.instance && values[at][barrier] == Some(key.barrier),
            _ => false,
        });
        thread.place == key.place && in_code && uses.count() <= key.turn
    })
}

/// Chooses who opens each meeting.
fn choose(
    all: &[Meeting],
    chosen: &mut Vec<Vec<Member>>,
    graph: &Graph,
    found: &mut Vec<Relation>,
) -> Result<(), TooLarge> {
    let Some(meeting) = all.get(chosen.len()) else {
        if all_end(all, chosen) {
            found.push(relation(all, chosen, graph));
        }
        return Ok(());
    };
    let members = &meeting.members;
    let wanted = match meeting.count {
        Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
        None => members.len(),
    };
    let firsts: Vec<Vec<Member>> = if meeting.lacks || wanted > members.len() {
        // It never opens. Only threads that do not wait go on.
        match members.iter().any(|member| member.waits) {
            true => return Ok(()),
            false => vec![Vec::new()],
        }
    } else if wanted == members.len() {
        vec![members.clone()]
    } else if members.len() > MAX_CHOSEN {
        return Err(TooLarge::Steps);
    } else {
        let sets = (0u64..1 << members.len()).filter(|set| set.count_ones() as usize == wanted);
        sets.map(|set| super::relation::bits(set).map(|at| members[at]).collect())
            .collect()
    };
    for first in firsts {
        chosen.push(first);
        choose(all, chosen, graph, found)?;
        chosen.pop();
    }
    Ok(())
}

/// Whether all threads come to the end if each meeting opens after its first arrivals.
fn all_end(all: &[Meeting], first: &[Vec<Member>]) -> bool {
    let threads = all.iter().flat_map(|meeting| &meeting.members);
    let threads = threads.map(|member| member.thread + 1).max().unwrap_or(0);
    // How many barriers each thread has passed.
    let mut passed = vec![0; threads];
    loop {
        let mut moved = false;
        for (meeting, first) in all.iter().zip(first) {
            let is_open = first
                .iter()
                .all(|member| passed[member.thread] >= member.at);
            for member in &meeting.members {
                if passed[member.thread] == member.at && (is_open || !member.waits) {
                    passed[member.thread] += 1;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let all_members = all.iter().flat_map(|meeting| &meeting.members);
    all_members
        .into_iter()
        .all(|member| passed[member.thread] > member.at)
}

fn relation(all: &[Meeting], first: &[Vec<Member>], graph: &Graph) -> Relation {
    let mut relation = Relation::empty(graph.len());
    for (meeting, first) in all.iter().zip(first) {
        for from in first {
            for to in meeting.members.iter().filter(|member| member.waits) {
                if from.event != to.event {
                    relation.insert(from.event, to.event);
                }
            }
        }
    }
    relation
}
