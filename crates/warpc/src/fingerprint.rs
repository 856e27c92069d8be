//! What an output depends on, as a number: a key for caches of build systems.

use crate::{Emit, Options, RunOptions, Source};
use std::fmt;

/// A number that is the same if the output is: it depends on the bytes, names and kinds of the inputs, on what is made, on the
/// options (not on those of runs), and on the version of the library. Two builds of one version can differ while it is
/// developed: caches for developers add the bytes of the program.
///
/// It is printed as 32 hexadecimal digits. It is not meant against people who look for collisions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(pub u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// FNV-1a with 128 bits.
struct Hash(u128);

impl Hash {
    fn part(&mut self, bytes: &[u8]) {
        // Parts have their length in front, so that none can run into the next.
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 ^= u128::from(*byte);
            self.0 = self
                .0
                .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

/// The fingerprint of what is made of inputs: several are linked first.
///
/// ```
/// use warpc::{Emit, Options, Source};
///
/// let source = Source::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n").unwrap();
/// let mut options = Options::default();
/// let first = warpc::fingerprint(&[&source], Emit::Ptx, &options);
/// assert_eq!(first, warpc::fingerprint(&[&source], Emit::Ptx, &options));
/// options.set("fmad", "off").unwrap();
/// assert_ne!(first, warpc::fingerprint(&[&source], Emit::Ptx, &options));
/// ```
pub fn fingerprint(sources: &[&Source], emit: Emit, options: &Options) -> Fingerprint {
    let mut hash = Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
    hash.part(env!("CARGO_PKG_VERSION").as_bytes());
    hash.part(emit.name().as_bytes());
    let mut options = options.clone();
    options.run = RunOptions::default();
    hash.part(format!("{options:?}").as_bytes());
    for source in sources {
        hash.part(format!("{:?}", source.kind()).as_bytes());
        hash.part(source.name().as_bytes());
        hash.part(source.bytes());
    }
    Fingerprint(hash.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn everything_that_matters_changes_it_and_nothing_else() {
        let source = |kind, name: &str, text: &str| Source::of_kind(kind, name, text).unwrap();
        let plain = source(Kind::Llvm, "a.ll", "text");
        let options = Options::default();
        let first = fingerprint(&[&plain], Emit::Ptx, &options);
        assert_eq!(first.to_string().len(), 32);
        let mut seen = vec![first];
        let others = [
            source(Kind::Llvm, "a.ll", "texts"),
            source(Kind::Llvm, "a.llt", "ext"),
            source(Kind::Ptx, "a.ll", "text"),
        ];
        seen.extend(
            others
                .iter()
                .map(|one| fingerprint(&[one], Emit::Ptx, &options)),
        );
        seen.push(fingerprint(&[&plain, &plain], Emit::Ptx, &options));
        seen.push(fingerprint(&[], Emit::Ptx, &options));
        seen.push(fingerprint(&[&plain], Emit::Cubin, &options));
        // What is for runs changes no output.
        let switches = crate::SETTINGS.iter().filter(|one| one.values == "on|off");
        for setting in switches.filter(|one| !one.help.starts_with("run: ")) {
            let (mut on, mut off) = (Options::default(), Options::default());
            on.set(setting.name, "on").unwrap();
            off.set(setting.name, "off").unwrap();
            let on = fingerprint(&[&plain], Emit::Ptx, &on);
            assert_ne!(
                on,
                fingerprint(&[&plain], Emit::Ptx, &off),
                "{}",
                setting.name
            );
        }
        for (index, one) in seen.iter().enumerate() {
            assert!(!seen[..index].contains(one), "{index}");
        }
        let mut running = Options::default();
        running.set("seed", "7").unwrap();
        assert_eq!(first, fingerprint(&[&plain], Emit::Ptx, &running));
        // FNV-1a's own numbers: of nothing, and of the letter `a`.
        let mut hash = Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        hash.0 ^= u128::from(b'a');
        hash.0 = hash
            .0
            .wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        assert_eq!(hash.0, 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
