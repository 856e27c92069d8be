//! The LZ4 block format, unpacked: literals and copies of what came before, in turn.

/// Unpacks a block of a known size; nothing if the block is wrong.
pub(crate) fn unpack(mut from: &[u8], size: usize) -> Option<Vec<u8>> {
    // The size comes from the file: believe it as far as the bytes can go (a byte adds 255 at most).
    if size > from.len().saturating_mul(255) {
        return None;
    }
    let mut out = Vec::with_capacity(size);
    loop {
        let token = take(&mut from)?;
        let literals = length(&mut from, token >> 4)?;
        let (copied, rest) = from.split_at_checked(literals)?;
        out.extend_from_slice(copied);
        from = rest;
        if from.is_empty() {
            return (out.len() == size).then_some(out);
        }
        let distance = usize::from(u16::from_le_bytes([take(&mut from)?, take(&mut from)?]));
        let count = length(&mut from, token & 15)?.checked_add(4)?;
        let start = out.len().checked_sub(distance)?;
        if distance == 0 || out.len() + count > size {
            return None;
        }
        // The copy may reach into what it writes itself.
        for at in start..start + count {
            out.push(out[at]);
        }
    }
}

fn take(from: &mut &[u8]) -> Option<u8> {
    from.split_off_first().copied()
}

fn length(from: &mut &[u8], start: u8) -> Option<usize> {
    let mut length = usize::from(start);
    if start == 15 {
        loop {
            let more = take(from)?;
            length = length.checked_add(usize::from(more))?;
            if more != 255 {
                break;
            }
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_unpacked_and_bad_ones_refused() {
        // "abcabcabc" + "x": three literals, a copy of six from three before, one literal.
        let block = [0x32, b'a', b'b', b'c', 3, 0, 0x10, b'x'];
        assert_eq!(unpack(&block, 10).as_deref(), Some(&b"abcabcabcx"[..]));
        assert_eq!(unpack(&block, 9), None);
        assert_eq!(unpack(&block[..4], 10), None);
        assert_eq!(unpack(&[0x10, b'a', 9, 0, 0x10, b'x'], 6), None);
        assert_eq!(unpack(&[], 0), None);
    }
}
