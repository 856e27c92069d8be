//! What is missing where a thread saw a value that told of another access: all of it, on both sides.
//!
//! | side | what can be missing |
//! |---|---|
//! | the write | a release; a release, a fence or a store whose scope includes the reader |
//! | the read | an acquire; a scope that includes the writer |
//!
//! The scope that both need is that of the step from the writer to the reader. The threads of the two accesses may be nearer
//! to each other, or farther.

use super::super::access::Check;
use super::super::clock::{Missed, needed, reach};
use super::super::location::Begin;
use super::super::shadow::Seen;
use super::{apart, covers};

/// What a thread saw of the other, and what was missing there.
pub(super) fn told(check: &Check<'_>, seen: &Seen) -> Option<(String, String)> {
    let (shape, state) = (&check.shape, check.state);
    if let Some(missed) = &state.missed
        && covers(shape, &missed.know, seen)
    {
        return Some(of_missed(missed));
    }
    let unfenced = |distance: &usize| covers(shape, state.unfenced(*distance), seen);
    let hinted = |distance: &usize| covers(shape, &check.hints[*distance], seen);
    let (who, distance) = match (0..3).find(unfenced) {
        Some(distance) => ("the value that told of it was read", distance),
        None => (
            "another thread of the block read the value that told of it,",
            (0..3).find(hinted)?,
        ),
    };
    let scope = needed(distance).name();
    Some((
        format!("{who} without an acquire"),
        format!("make that read `.acquire` at `{scope}`, or put `fence.acq_rel{scope}` after it"),
    ))
}

fn of_missed(missed: &Missed) -> (String, String) {
    let needs = |scope| reach(scope) < reach(missed.needed);
    let scope = missed.needed.name();
    let far = apart(reach(missed.needed));
    let is_narrow_write = needs(missed.write);
    let is_narrow_read = needs(missed.read.scope);
    // What is wrong with the write, and what to do there.
    let write = match missed.begin {
        Begin::Nothing => Some((
            "the value that told of it was written by a relaxed store with no fence before it"
                .to_owned(),
            match is_narrow_write {
                false => format!(
                    "make that store `st.release{scope}`, or put `fence.acq_rel{scope}` before it"
                ),
                true => format!(
                    "make that store `st.release{scope}`, or put `fence.acq_rel{scope}` before it and make it \
                     `st.relaxed{scope}`"
                ),
            },
        )),
        Begin::Write(given) if needs(given) => Some((
            format!("the release is `{}`, the reader is {far}", given.name()),
            format!("`{scope}` would do"),
        )),
        Begin::Fence(given) if needs(given) => Some((
            format!("the release is `{}`, the reader is {far}", given.name()),
            match is_narrow_write {
                false => format!("`{scope}` would do, in the fence before the store"),
                true => {
                    format!("`{scope}` would do, in the store and in the fence before it")
                }
            },
        )),
        _ if is_narrow_write => Some((
            format!(
                "the store that told of it is `{}`, the reader is {far}",
                missed.write.name()
            ),
            format!("`{scope}` would do, in the store"),
        )),
        _ => None,
    };
    let read = match (is_narrow_read, missed.read.acquire) {
        (true, true) => Some((
            format!(
                "the acquire is `{}`, the writer is {far}",
                missed.read.scope.name()
            ),
            format!("`{scope}` would do"),
        )),
        (true, false) => Some((
            format!(
                "the read of the value that told of it is `{}`, the writer is {far}",
                missed.read.scope.name()
            ),
            format!("make the read `.acquire` at `{scope}`"),
        )),
        (false, false) => Some((
            "the value that told of it was read without an acquire".to_owned(),
            format!(
                "make the read `.acquire` at `{scope}`, or put `fence.acq_rel{scope}` after it"
            ),
        )),
        (false, true) => None,
    };
    match (write, read) {
        (Some(one), None) | (None, Some(one)) => one,
        (Some((why, first)), Some(_)) if is_narrow_read && missed.read.acquire => {
            (why, format!("{first}, and in the acquire as well"))
        }
        (Some((why, first)), Some((_, second))) => (why, format!("{first}; {second}, too")),
        // An atomic operation between the two ended what it goes back to.
        (None, None) => (
            "an operation between the release and the acquire has a scope without one of the threads"
                .to_owned(),
            format!("`{scope}` would do, in all atomic operations on the value that tells of it"),
        ),
    }
}
