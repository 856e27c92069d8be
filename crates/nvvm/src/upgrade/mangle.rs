//! Names of overloaded intrinsics end in the types they are used with. With typed pointers a pointer
//! was `p0i8`; now it is `p0`.

/// The modern name, if it differs.
pub(super) fn without_pointees(name: &[u8]) -> Option<Vec<u8>> {
    let mut modern = Vec::with_capacity(name.len());
    let mut rest = name;
    let mut changed = false;
    while !rest.is_empty() {
        if rest[0] == b'.'
            && let Some((space, after)) = pointer(&rest[1..])
        {
            let ends = after.is_empty() || after[0] == b'.';
            if ends {
                modern.push(b'.');
                modern.extend_from_slice(&rest[1..1 + space]);
                changed |= rest.len() - after.len() != 1 + space;
                rest = after;
                continue;
            }
        }
        modern.push(rest[0]);
        rest = &rest[1..];
    }
    changed.then_some(modern)
}

/// `pN` and the type after it: how long `pN` is, and what follows the type.
fn pointer(text: &[u8]) -> Option<(usize, &[u8])> {
    let digits = digits(text.strip_prefix(b"p")?);
    if digits == 0 {
        return None;
    }
    let space = 1 + digits;
    let after = &text[space..];
    Some((space, pointee(after, 0).unwrap_or(after)))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// What follows a mangled type.
fn pointee(text: &[u8], depth: u32) -> Option<&[u8]> {
    // Nobody nests this deep; a hostile name may.
    if depth > 64 {
        return None;
    }
    for word in [
        &b"isVoid"[..],
        b"Metadata",
        b"ppcf128",
        b"bf16",
        b"f128",
        b"f16",
        b"f32",
        b"f64",
        b"f80",
        b"x86mmx",
        b"token",
    ] {
        if let Some(rest) = text.strip_prefix(word) {
            return Some(rest);
        }
    }
    // A struct without a name lists its fields, a function its result and parameters.
    for (open, close) in [(&b"sl_"[..], b's'), (b"f_", b'f')] {
        if let Some(mut rest) = text.strip_prefix(open) {
            loop {
                if let Some(member) = pointee(rest, depth + 1) {
                    rest = member;
                    continue;
                }
                rest = rest.strip_prefix(b"vararg").unwrap_or(rest);
                return match rest.first() {
                    Some(&byte) if byte == close => Some(&rest[1..]),
                    _ => None,
                };
            }
        }
    }
    // The name of a struct ends in an `s` where the type ends, and may hold dots.
    if let Some(rest) = text.strip_prefix(b"s_") {
        let end = (0..rest.len())
            .rev()
            .find(|&at| rest[at] == b's' && matches!(rest.get(at + 1), None | Some(b'.')))?;
        return Some(&rest[end + 1..]);
    }
    let counted = |prefix: &[u8]| {
        let rest = text.strip_prefix(prefix)?;
        let digits = digits(rest);
        (digits > 0).then(|| &rest[digits..])
    };
    if let Some(rest) = counted(b"i") {
        return Some(rest);
    }
    for prefix in [&b"nxv"[..], b"v", b"a"] {
        if let Some(rest) = counted(prefix) {
            return pointee(rest, depth + 1);
        }
    }
    // A pointer to a pointer; an opaque one has nothing after it.
    let rest = counted(b"p")?;
    Some(pointee(rest, depth + 1).unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_pointers_lose_their_types() {
        for (old, modern) in [
            ("llvm.memcpy.p0i8.p3i8.i64", "llvm.memcpy.p0.p3.i64"),
            ("llvm.x.p0s_struct.S.1s.i32", "llvm.x.p0.i32"),
            ("llvm.x.p0sl_i32f32s", "llvm.x.p0"),
            ("llvm.x.p1v4f32.v2p0i8", "llvm.x.p1.v2p0i8"),
            (
                "llvm.x.p0p0a4f_isVoidi32vararg f",
                "llvm.x.p0p0a4f_isVoidi32vararg f",
            ),
            ("llvm.x.p0p0i8", "llvm.x.p0"),
            ("llvm.memcpy.p0.p0.i64", "llvm.memcpy.p0.p0.i64"),
            ("llvm.popcount", "llvm.popcount"),
        ] {
            let found = without_pointees(old.as_bytes()).unwrap_or(old.into());
            assert_eq!(String::from_utf8_lossy(&found), modern);
        }
    }
}
