//! How much static shared memory a kernel takes: what the decoder would give it.

use crate::decode;
use warpc_ptx::Module;
use warpc_ptx::module::Function;

/// Bytes of the `.shared` variables that a kernel and what it may call use, each aligned as it asks
/// for, up to where the dynamic part would begin.
pub fn static_shared_bytes(module: &Module, kernel: &Function) -> u64 {
    let (begin, end) = decode::static_shared(module, kernel);
    u64::from(end - begin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    #[test]
    fn what_a_kernel_can_reach() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
            .shared .align 16 .b8 direct[40];\n.shared .b32 called;\n.shared .b8 unused[512];\n\
            .extern .shared .b8 dynamic[];\n\
            .func f() { .reg .b32 r; mov.u32 r, called; ret; }\n\
            .entry k() { .reg .b32 r; .shared .b8 own[3]; mov.u32 r, dynamic; call f; \
            mov.u32 r, direct; ret; }\n\
            .entry empty() { ret; }\n";
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let checked = warpc_ptx::check(&file);
        assert!(!checked.diagnostics.has_errors());
        let of = |name: &str| {
            let kernel = super::super::kernel(&checked.module, Some(name)).expect("it is there");
            static_shared_bytes(&checked.module, kernel)
        };
        assert!((47..=64).contains(&of("k")), "{}", of("k"));
        assert_eq!(of("empty"), 0);
    }
}
