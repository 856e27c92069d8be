//! The matrix suite as warpc assembles it: judged by the checkers, run on the emulator of machine code, and compared
//! with what `ptx-eval` computes, which is what an H200 answered.

use warpc::Options;
use warpc_hw::matrix::{self, Form, on_sass_sim};

/// Forms of one module, tiles of each, and which modules are taken: every so many.
const MODULE: usize = 16;
const TILES: usize = 4;
const EVERY: usize = 6;

fn judged(forms: &[Form], how: &dyn Fn(&mut Options), wrong: &mut Vec<String>) -> usize {
    let cubin = match on_sass_sim::assembled(forms, how) {
        Ok(cubin) => cubin,
        Err(why) if forms.len() == 1 => {
            wrong.push(format!("{}: {why}", forms[0].text));
            return 0;
        }
        Err(_) => {
            let each = forms.iter();
            let each = each.map(|form| judged(std::slice::from_ref(form), how, wrong));
            return each.sum();
        }
    };
    let found = on_sass_sim::run_module(&cubin, forms, TILES);
    let mut agreed = 0;
    for (form, found) in forms.iter().zip(found) {
        let expected: Vec<u8> = (0..TILES)
            .flat_map(|tile| form.expected(&form.input(tile)))
            .collect();
        match found {
            Ok(found) if found == expected => agreed += 1,
            Ok(_) => wrong.push(format!("{}: other results", form.text)),
            Err(why) => wrong.push(format!("{}: {why}", form.text)),
        }
    }
    agreed
}

fn check(how: &dyn Fn(&mut Options), every: usize, offset: usize) {
    let mut suite = matrix::suite();
    if let Ok(only) = std::env::var("WARPC_ONLY") {
        suite.retain(|form| form.text.contains(&only));
    }
    let every = if suite.len() < 400 { 1 } else { every };
    let (mut agreed, mut wrong) = (0, Vec::new());
    for forms in suite.chunks(MODULE).skip(offset % every).step_by(every) {
        agreed += judged(forms, how, &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(agreed > 0);
}

#[test]
fn forms_scheduled() {
    let every = std::env::var("WARPC_EVERY")
        .ok()
        .and_then(|every| every.parse().ok());
    check(&|_| {}, every.unwrap_or(EVERY), 0);
}

#[test]
fn forms_one_at_a_time() {
    check(&|options| options.level = 0, 4 * EVERY, 1);
}
