//! The patterns of swizzles, as the manual of PTX draws them: which piece of 16 bytes lies where in each line of 128.

use warpc_launch::tensor_map::Swizzle;

/// The pieces that lie in a line, in order.
fn line(swizzle: Swizzle, line: u32) -> Vec<u32> {
    let mut pieces = vec![u32::MAX; 8];
    for piece in 0..8 {
        let place = swizzle.place(128 * line + 16 * piece);
        assert_eq!(place / 128, line, "a piece stays in its line");
        pieces[(place % 128 / 16) as usize] = piece;
    }
    pieces
}

#[test]
fn patterns() {
    let all = |swizzle: Swizzle, lines: u32| (0..lines).map(move |i| line(swizzle, i));
    let each = |swizzle: Swizzle, lines: u32| all(swizzle, lines).collect::<Vec<_>>();
    let plain = vec![0, 1, 2, 3, 4, 5, 6, 7];
    assert_eq!(each(Swizzle::None, 2), [plain.clone(), plain.clone()]);
    let pairs = vec![1, 0, 3, 2, 5, 4, 7, 6];
    assert_eq!(
        each(Swizzle::B32, 4),
        [&plain, &pairs, &plain, &pairs].map(Vec::clone)
    );
    assert_eq!(each(Swizzle::B96, 2), [&plain, &pairs].map(Vec::clone));
    let fours = [
        vec![0, 1, 2, 3, 4, 5, 6, 7],
        vec![1, 0, 3, 2, 5, 4, 7, 6],
        vec![2, 3, 0, 1, 6, 7, 4, 5],
        vec![3, 2, 1, 0, 7, 6, 5, 4],
        vec![0, 1, 2, 3, 4, 5, 6, 7],
    ];
    assert_eq!(each(Swizzle::B64, 5), fours);
    let eights = [
        vec![0, 1, 2, 3, 4, 5, 6, 7],
        vec![1, 0, 3, 2, 5, 4, 7, 6],
        vec![2, 3, 0, 1, 6, 7, 4, 5],
        vec![3, 2, 1, 0, 7, 6, 5, 4],
        vec![4, 5, 6, 7, 0, 1, 2, 3],
        vec![5, 4, 7, 6, 1, 0, 3, 2],
        vec![6, 7, 4, 5, 2, 3, 0, 1],
        vec![7, 6, 5, 4, 3, 2, 1, 0],
        vec![0, 1, 2, 3, 4, 5, 6, 7],
    ];
    assert_eq!(each(Swizzle::B128, 9), eights);
    let atoms = [
        vec![0, 1, 2, 3, 4, 5, 6, 7],
        vec![2, 3, 0, 1, 6, 7, 4, 5],
        vec![4, 5, 6, 7, 0, 1, 2, 3],
        vec![6, 7, 4, 5, 2, 3, 0, 1],
        vec![0, 1, 2, 3, 4, 5, 6, 7],
    ];
    assert_eq!(each(Swizzle::B128Atom32, 5), atoms);
    let halves = vec![4, 5, 6, 7, 0, 1, 2, 3];
    assert_eq!(
        each(Swizzle::B128Atom64, 3),
        [&plain, &halves, &plain].map(Vec::clone)
    );
}
