//! Comparison of packed halves, one by one: `setp` gives the lower one's answer in `p` and the upper
//! one's in `q`, `set` gives both in a word. (Comparisons of single halves are like those of any
//! other number: [`super::compare`].)

use super::compare::{combine, operator, truth};
use super::word::{Word, with_word};
use super::{Operation, View};
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        "setp" => setp(view),
        "set" => set(view),
        _ => None,
    }
}

/// The type of one element of a packed one.
fn element(ty: ScalarType) -> Option<ScalarType> {
    match ty {
        ScalarType::F16x2 => Some(ScalarType::F16),
        ScalarType::Bf16x2 => Some(ScalarType::Bf16),
        _ => None,
    }
}

fn setp(view: &View<'_>) -> Option<Operation> {
    let compare = operator(view, element(view.type_of("a")?)?)?;
    let both = move |s: &[u64]| [compare(s[0], s[1]), compare(s[0] >> 16, s[1] >> 16)];
    Some(match combine(view) {
        None => Operation::general(2, 2, move |s, r| r.copy_from_slice(&both(s))),
        Some(combine) => Operation::general(3, 2, move |s, r| {
            r.copy_from_slice(&both(s).map(|t| combine(t, s[2])));
        }),
    })
}

fn set(view: &View<'_>) -> Option<Operation> {
    let compare = operator(view, element(view.type_of("a")?)?)?;
    let to = view.type_of("d")?;
    let (word, half) = match element(to) {
        Some(half) => (ScalarType::B32, half),
        None => (to, ScalarType::B16),
    };
    let truth = truth(half)?;
    let combine = combine(view);
    with_word!(word, T => Operation::general(2 + usize::from(combine.is_some()), 1, move |s, r| {
        let half = |shift: u32| {
            let answer = compare(s[0] >> shift, s[1] >> shift);
            truth * combine.map_or(answer, |combine| combine(answer, s[2]))
        };
        r[0] = T::cut(T::read(half(16) << 16 | half(0)));
    }))
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    #[test]
    fn halves() {
        let (a, b) = (0x3c00_c000, 0x3c00_0000);
        assert_eq!(compute("setp.lt.f16x2", &[a, b]), [1, 0]);
        assert_eq!(compute("setp.lt.or.bf16x2", &[a, b, 1]), [1, 1]);
        assert_eq!(compute("set.eq.f16x2.f16x2", &[a, b]), [0x3c00_0000]);
        assert_eq!(compute("set.lt.bf16x2.bf16x2", &[a, b]), [0x3f80]);
        assert_eq!(
            compute("set.eq.s32.f16x2", &[a, b]),
            [0xffff_ffff_ffff_0000]
        );
        assert_eq!(compute("set.eq.and.u32.f16x2", &[a, b, 0]), [0]);
        assert_eq!(compute("set.gt.f16.s32", &[1, 0]), [0x3c00]);
        assert_eq!(compute("set.gt.s16.f16", &[0x3c00, 0]), [u64::MAX]);
        assert_eq!(compute("set.gt.ftz.f16.f32", &[1, 0]), [0]);
    }
}
