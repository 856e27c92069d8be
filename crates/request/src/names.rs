//! Names as people write them: a kernel of C++ or Rust is found by `vector_add`, `vector_add<float>` or its whole
//! declaration, too, not by its mangled name alone.
//!
//! ```text
//!   _Z10vector_addIfEvPT_i      vector_add<float>(float*, int)    vector_add<float>    vector_add
//!   _ZN4math5scaleE             math::scale                                            scale
//! ```
//!
//! The first of these ways that fits some name counts: a name as it stands in the file, then the whole declaration, the
//! name with the arguments of its template, the name alone; each also without the namespaces around it.

/// The numbers of the names that are meant, in order; several if more than one fits equally well.
///
/// ```
/// let names = ["_Z10vector_addIfEvPT_i", "_Z10vector_addIdEvPT_i", "plain"];
/// assert_eq!(warpc_request::names::find(&names, "vector_add<float>"), [0]);
/// assert_eq!(warpc_request::names::find(&names, "vector_add<double>(double*, int)"), [1]);
/// assert_eq!(warpc_request::names::find(&names, "vector_add"), [0, 1]);
/// assert_eq!(warpc_request::names::find(&names, "plain"), [2]);
/// ```
pub fn find(names: &[&str], wanted: &str) -> Vec<usize> {
    if let Some(exact) = names.iter().position(|name| *name == wanted) {
        return vec![exact];
    }
    let wanted = without_spaces(wanted);
    let forms: Vec<Vec<String>> = names.iter().map(|name| forms(name)).collect();
    let ways = forms.iter().map(Vec::len).max().unwrap_or(0);
    for way in 0..ways {
        let fits = |forms: &Vec<String>| forms.get(way).is_some_and(|form| *form == wanted);
        let found: Vec<usize> = (0..forms.len()).filter(|&i| fits(&forms[i])).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A name as people write it, where it is a mangled one: `vector_add<float>(float*, int)`.
pub fn readable(name: &str) -> Option<String> {
    of_rust(name).or_else(|| of_cpp(name, false))
}

/// The ways to write a mangled name, without spaces that do not matter, the most exact first.
fn forms(name: &str) -> Vec<String> {
    let (whole, named) = match of_rust(name) {
        Some(path) => (path.clone(), path),
        None => match (of_cpp(name, false), of_cpp(name, true)) {
            (Some(whole), Some(named)) => (whole, named),
            _ => return Vec::new(),
        },
    };
    let plain = without_template_arguments(&named).to_owned();
    let each = [whole, named, plain].map(|form| without_spaces(&form));
    let inner = each.each_ref().map(|form| without_namespaces(form));
    each.iter().cloned().chain(inner).collect()
}

/// The declaration that a name of C++ stands for, without its result; with `bare` without parameters, too.
fn of_cpp(name: &str, bare: bool) -> Option<String> {
    // Anything may be a mangled type, `i` for instance; functions and variables begin so.
    if !name.starts_with("_Z") {
        return None;
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let options = cpp_demangle::DemangleOptions::new().no_return_type();
    let options = match bare {
        true => options.no_params(),
        false => options,
    };
    symbol.demangle_with_options(&options).ok()
}

/// The path that a name of Rust stands for, without the hash at its end. Some names of C++ could be ones of Rust; those
/// have no hash.
fn of_rust(name: &str) -> Option<String> {
    let path = rustc_demangle::try_demangle(name).ok()?;
    let (whole, short) = (path.to_string(), format!("{path:#}"));
    (name.starts_with("_R") || whole != short).then_some(short)
}

/// Spaces separate words; all others go.
fn without_spaces(text: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c.is_whitespace() {
            false => out.push(c),
            true => {
                let next = after.trim_start();
                if is_word(out.chars().next_back()) && is_word(next.chars().next()) {
                    out.push(' ');
                }
                rest = next;
                continue;
            }
        }
        rest = after;
    }
    out
}

/// `vector_add<float>` is `vector_add`.
fn without_template_arguments(name: &str) -> &str {
    if !name.ends_with('>') {
        return name;
    }
    let mut depth = 0usize;
    for (at, c) in name.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &name[..at];
        }
    }
    name
}

/// `math::scale<a::b>(c::d)` is `scale<a::b>(c::d)`.
fn without_namespaces(name: &str) -> String {
    let mut depth = 0usize;
    let mut start = 0;
    for (at, c) in name.char_indices() {
        match c {
            // The namespace without a name has parentheses of its own.
            '(' if name[at..].starts_with("(anonymousnamespace)")
                || name[at..].starts_with("(anonymous namespace)") => {}
            '(' if depth == 0 => break,
            '<' | '(' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    name[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_people_write_them() {
        let names = [
            "_Z10vector_addPfi",
            "_ZN4math5scaleIiEEvPT_j",
            "_ZN4math5scaleIfEEvPT_j",
            "_ZN12_GLOBAL__N_16hiddenEPx",
            "_ZN7kernels4fill17h05af221e174051e9E",
            "scale2",
            "_ZL5table",
        ];
        for (wanted, found) in [
            ("vector_add", &[0][..]),
            ("vector_add(float *, int)", &[0]),
            ("vector_add( float*,int )", &[0]),
            ("_Z10vector_addPfi", &[0]),
            ("vector_add(float*)", &[]),
            ("scale", &[1, 2]),
            ("math::scale", &[1, 2]),
            ("scale<float>", &[2]),
            ("math::scale<int>(int*, unsigned int)", &[1]),
            ("scale<int>(int*,unsigned  int)", &[1]),
            ("hidden", &[3]),
            ("(anonymous namespace)::hidden(long long*)", &[3]),
            ("kernels::fill", &[4]),
            ("fill", &[4]),
            ("scale2", &[5]),
            ("table", &[6]),
            ("tables", &[]),
            ("", &[]),
        ] {
            assert_eq!(find(&names, wanted), found, "{wanted}");
        }
        assert_eq!(readable("k"), None);
        assert_eq!(readable("_Z"), None);
        let shown = readable(names[2]).expect("it is mangled");
        assert_eq!(shown, "math::scale<float>(float*, unsigned int)");
    }

    proptest::proptest! {
        /// Whatever a module calls its kernels and a user asks for, there is an answer.
        #[test]
        fn every_name_has_an_answer(name in "_Z[A-Z0-9a-z_]{0,24}", wanted in "[a-z:<>(), ]{0,12}") {
            let _ = find(&[name.as_str(), wanted.as_str()], &wanted);
            let _ = readable(&name);
        }
    }
}
