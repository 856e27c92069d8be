//! Numbers in decimal, without the machinery of formatted output: names of registers and offsets are most of a module.

/// Writes a number after a text.
pub fn push_decimal(out: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(str::from_utf8(&digits[start..]).expect("digits are text"));
}

#[cfg(test)]
mod tests {
    use super::push_decimal;

    #[test]
    fn numbers_are_written_as_others_write_them() {
        for number in [0, 1, 9, 10, 99, 100, 12_345, u64::from(u32::MAX), u64::MAX] {
            let mut out = String::from("%r");
            push_decimal(&mut out, number);
            assert_eq!(out, format!("%r{number}"));
        }
    }
}
