//! Archives (`.a`) of bitcode: the members, in order.
//!
//! ```text
//!   "!<arch>\n"  member*
//!   member = name[16] date[12] owner[6] group[6] mode[8] size[10] "`\n", data, padding to an even offset
//! ```
//!
//! A long name is in the member `//` (GNU: `/17`), or at the start of the data (BSD: `#1/20`). Symbol tables are skipped.

/// What an archive starts with.
const MARK: &[u8] = b"!<arch>\n";
/// What an archive that only names its members starts with.
const THIN_MARK: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;

/// A member of an archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    pub name: String,
    pub bytes: &'a [u8],
}

/// Whether bytes are an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK) || bytes.starts_with(THIN_MARK)
}

/// The members of an archive; `Err` says what is wrong with it.
pub(crate) fn members(bytes: &[u8]) -> Result<Vec<Member<'_>>, String> {
    if bytes.starts_with(THIN_MARK) {
        return Err("a thin archive names its members and does not hold them".to_owned());
    }
    let mut members = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = MARK.len();
    while at < bytes.len() {
        let here = at;
        let broken = || format!("the archive is damaged at byte {here}");
        let header = bytes.get(here..here + HEADER).ok_or_else(broken)?;
        if &header[58..] != b"`\n" {
            return Err(broken());
        }
        let size = decimal(&header[48..58]).ok_or_else(broken)?;
        let start = here + HEADER;
        let end = start.checked_add(size).ok_or_else(broken)?;
        let mut data = bytes.get(start..end).ok_or_else(broken)?;
        at = end + end % 2;
        let name = header[..16].trim_ascii_end();
        let name = match name {
            b"/" | b"/SYM64/" => continue,
            b"//" => {
                long_names = data;
                continue;
            }
            [b'#', b'1', b'/', digits @ ..] => {
                let len = decimal(digits).ok_or_else(broken)?;
                let (name, rest) = data.split_at_checked(len).ok_or_else(broken)?;
                data = rest;
                let end = name.iter().position(|&byte| byte == 0);
                &name[..end.unwrap_or(name.len())]
            }
            [b'/', digits @ ..] => {
                let from = decimal(digits).ok_or_else(broken)?;
                let rest = long_names.get(from..).ok_or_else(broken)?;
                let end = rest.iter().position(|&byte| byte == b'\n');
                let name = &rest[..end.unwrap_or(rest.len())];
                name.strip_suffix(b"/").unwrap_or(name)
            }
            name => name.strip_suffix(b"/").unwrap_or(name),
        };
        if name.starts_with(b"__.SYMDEF") {
            continue;
        }
        members.push(Member {
            name: String::from_utf8_lossy(name).into_owned(),
            bytes: data,
        });
    }
    Ok(members)
}

fn decimal(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = format!(
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            0,
            0,
            0,
            644,
            data.len()
        );
        let mut bytes = std::mem::take(&mut bytes).into_bytes();
        bytes.extend_from_slice(data);
        bytes.resize(bytes.len().next_multiple_of(2), b'\n');
        bytes
    }

    #[test]
    fn names_of_both_forms_are_read() {
        let mut gnu = MARK.to_vec();
        gnu.extend(member("/", b"symbols"));
        gnu.extend(member("//", b"a_long_name_of_a_member.bc/\n"));
        gnu.extend(member("short.bc/", b"BC1"));
        gnu.extend(member("/0", b"BC22"));
        let mut bsd = MARK.to_vec();
        bsd.extend(member("__.SYMDEF", b"symbols"));
        bsd.extend(member("short.bc", b"BC1"));
        bsd.extend(member("#1/28", b"a_long_name_of_a_member.bc\0\0BC22"));
        let names = |bytes: &[u8]| -> Vec<String> {
            members(bytes)
                .expect("a whole archive")
                .into_iter()
                .map(|member| member.name)
                .collect()
        };
        assert_eq!(names(&gnu), ["short.bc", "a_long_name_of_a_member.bc"]);
        assert_eq!(names(&bsd), names(&gnu));
        let last = members(&bsd).expect("a whole archive").pop();
        assert_eq!(last.expect("two members").bytes, b"BC22");
        assert!(members(&gnu[..gnu.len() - 3]).is_err());
        assert!(members(b"!<thin>\n").is_err());
    }
}
