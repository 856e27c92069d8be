//! PTX in canonical form.

use crate::check::check_ptx;
use crate::door::{enter, wrong_kind};
use crate::{Kind, Options, Ptx, Source};
use warpc_diag::Output;

/// Prints PTX in canonical form, with its comments. What is given need not be right, but it must be PTX.
///
/// ```
/// use warpc::{Options, Source};
///
/// let source = Source::new("k.ptx", ".version 8.0 .target sm_90 // a chip\n.address_size 64")?;
/// let text = warpc::format(&source, &Options::default()).into_result()?;
/// assert_eq!(text, b".version 8.0\n.target sm_90 // a chip\n.address_size 64\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(source: &Source, options: &Options) -> Output<Vec<u8>> {
    enter(source, || {
        if source.kind() != Kind::Ptx {
            return wrong_kind(source, &[Kind::Ptx]);
        }
        // The version a module requires is known only of one that is right.
        let lowest = options.format.lowest_version;
        let read = match lowest {
            true => check_ptx(source),
            false => warpc_ptx::parse(source.file()).map(|module| Ptx { module }),
        };
        read.map(|Ptx { mut module }| {
            if lowest && let Some(version) = module.required_version(module.sm) {
                module.version = version;
            }
            warpc_ptx::format(&module, source.bytes())
        })
    })
}
