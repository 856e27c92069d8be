//! Which of the passes that may be left out are run.
//!
//! Takes names of passes to leave out, or of the only ones to run, and answers for each pass whether it is run. Passes that
//! only make code better may be left out (`passes::optional`); what is right without them is right with each of them alone.
//! This is how one finds the pass that makes code wrong or slow, and what each pass brings.

use crate::passes;
use std::fmt;
use warpc_ptx::suggest;

/// The passes that are run of those that may be left out: all, if nothing was chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChosenPasses {
    /// Those that are left out.
    without: Vec<&'static str>,
    /// The only ones that are run, unless there is none here.
    only: Vec<&'static str>,
}

/// There is no pass of this name that may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPass {
    name: String,
    /// The pass that was meant, if a name is near.
    near: Option<&'static str>,
    /// It is a pass, but one that code needs.
    is_needed: bool,
}

impl fmt::Display for UnknownPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        if self.is_needed {
            return write!(f, "pass `{name}` cannot be left out: code needs it");
        }
        match self.near {
            Some(near) => write!(f, "there is no pass `{name}`; did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = passes::optional().collect();
                let names = names.join(", ");
                write!(
                    f,
                    "there is no pass `{name}` that may be left out; there are {names}"
                )
            }
        }
    }
}

impl std::error::Error for UnknownPass {}

impl ChosenPasses {
    /// Leaves a pass out.
    ///
    /// ```
    /// use warpc_ptx_to_sass::ChosenPasses;
    /// let mut chosen = ChosenPasses::default();
    /// chosen.leave_out("opt_gvn").unwrap();
    /// assert!(!chosen.runs("opt_gvn") && chosen.runs("opt_dce"));
    /// let refused = chosen.leave_out("opt_gnv").unwrap_err();
    /// assert_eq!(refused.to_string(), "there is no pass `opt_gnv`; did you mean `opt_gvn`?");
    /// ```
    pub fn leave_out(&mut self, name: &str) -> Result<(), UnknownPass> {
        self.without.push(known(name)?);
        Ok(())
    }

    /// Has only this pass run, and others that this is called with.
    pub fn run_only(&mut self, name: &str) -> Result<(), UnknownPass> {
        self.only.push(known(name)?);
        Ok(())
    }

    /// Whether a pass that may be left out is run.
    pub fn runs(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.contains(&name)) && !self.without.contains(&name)
    }
}

fn known(name: &str) -> Result<&'static str, UnknownPass> {
    if let Some(known) = passes::optional().find(|known| *known == name) {
        return Ok(known);
    }
    let near = suggest::nearest(name, passes::optional());
    Err(UnknownPass {
        name: name.to_owned(),
        near: near.and_then(|near| passes::optional().find(|known| *known == near)),
        is_needed: passes::names().any(|known| known == name),
    })
}
