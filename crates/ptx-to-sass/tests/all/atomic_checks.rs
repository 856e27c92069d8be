//! The ten checks of atomics in the assembler (NV7308), and who sees a fault first.
//!
//! The verifier of PTX refuses nearly all of it, and `warpc` assembles no module that it did not see. A user of this crate
//! can: the reader of PTX gives a module that nobody checked. It knows mnemonics only, so what reaches the assembler is a
//! mnemonic that PTX has, with operands that may not fit: steps 2 and 10. The faults of the other steps need a mnemonic
//! that no module has. They are found in token arrays only, which `warpc_model::ocg` tests on the matrix of all forms.

use warpc_diag::{Output, SourceFile, codes};
use warpc_model::atomic::legal::FORMS;
use warpc_model::ocg::{CODE, DataType, Fault, Modifier};
use warpc_model::packed::AtomicModifier;
use warpc_model::{Atomic, Ordering, Scope, StateSpace};
use warpc_ptx::Module;
use warpc_ptx::inst::Mnemonic;
use warpc_ptx_to_sass::{Description, Options, Source, assemble};

/// A kernel with one instruction.
fn file(instruction: &str) -> SourceFile {
    let text = format!(
        ".version 9.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b16 %h<4>;\n.reg .b32 %r<4>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 s[64];\n\
         ld.param.u64 %rd1, [p];\nmov.u32 %r1, s;\n{instruction}\nret;\n}}\n"
    );
    SourceFile::new("kernel.ptx", text).expect("it is short")
}

/// Whether the verifier takes it; its first code if not.
fn verified(instruction: &str) -> Result<(), &'static str> {
    let checked = warpc_ptx::check(&file(instruction));
    match checked.diagnostics.first_error() {
        Some(first) => Err(first.code.0),
        None => {
            let warnings = checked.diagnostics.warning_count();
            assert_eq!(warnings, 0, "{instruction}");
            Ok(())
        }
    }
}

/// What the assembler says of a module that was read and not checked: code, message and help.
fn assembled(instruction: &str) -> Result<(), (&'static str, String)> {
    let read: Output<Module> = warpc_ptx::parse(&file(instruction));
    let Some(module) = &read.value else {
        return Err(("unread", String::new()));
    };
    let made = assemble(module, &Options::default());
    match made.diagnostics.first_error() {
        None => Ok(()),
        Some(first) => {
            let help = first.help.clone().unwrap_or_default();
            Err((first.code.0, format!("{}; {help}", first.message)))
        }
    }
}

/// Who sees a fault.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Door {
    /// The verifier, with this code, and then the checks.
    Both(&'static str),
    /// The verifier, with this code: there is no such mnemonic, so no module has it.
    Verifier(&'static str),
    /// Nobody: PTX means something by it.
    Taken,
}

/// Each fault, an instruction that would have it, and who sees that.
const CASES: &[(Fault, &str, Door)] = &[
    (
        Fault::Domain,
        "atom.local.add.u32 %r2, [%rd1], %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::VectorCount,
        "atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f3, %f4, %f5, %f6};",
        Door::Both("W0204"),
    ),
    (
        Fault::VectorCount,
        "red.global.add.v4.f32 [%rd1], {%f3, %f4};",
        Door::Both("W0204"),
    ),
    (
        Fault::VectorCount,
        "atom.global.add.u32 %r2, [%rd1], {%r2, %r3};",
        Door::Verifier("W0201"),
    ),
    (
        Fault::VectorCount,
        "red.global.add.v2.f32 [%rd1], %f3;",
        Door::Both("W0204"),
    ),
    (
        Fault::TypeMissing,
        "atom.global.add %r2, [%rd1], %r3;",
        Door::Verifier("W0104"),
    ),
    (
        Fault::TypeMissing,
        "atom.global.add.u16 %h1, [%rd1], %h2;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::VectorType,
        "red.global.add.v2.s32 [%rd1], {%r2, %r3};",
        Door::Verifier("W0103"),
    ),
    (
        Fault::OpMissing,
        "atom.global.u32 %r2, [%rd1], %r3;",
        Door::Verifier("W0104"),
    ),
    (
        Fault::OpMissing,
        "atom.global.sub.u32 %r2, [%rd1], %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::Reduction,
        "red.global.exch.b32 [%rd1], %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::Reduction,
        "red.global.cas.b32 [%rd1], %r2, %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::ScopeWithoutOrder,
        "atom.gpu.global.add.u32 %r2, [%rd1], %r3;",
        Door::Taken,
    ),
    (
        Fault::ScopeWithoutOrder,
        "atom.sc.gpu.global.add.u32 %r2, [%rd1], %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::OrderWithoutScope,
        "atom.relaxed.global.add.u32 %r2, [%rd1], %r3;",
        Door::Taken,
    ),
    (
        Fault::MmioDomain,
        "atom.mmio.relaxed.sys.shared.add.u32 %r2, [%r1], %r3;",
        Door::Verifier("W0102"),
    ),
    (
        Fault::TypeOp,
        "atom.global.and.s32 %r2, [%rd1], %r3;",
        Door::Verifier("W0103"),
    ),
    (
        Fault::TypeOp,
        "atom.global.min.f32 %f2, [%rd1], %f3;",
        Door::Verifier("W0103"),
    ),
    (
        Fault::TypeWidth,
        "atom.global.add.s64 %rd2, [%rd1], %rd3;",
        Door::Verifier("W0103"),
    ),
    (
        Fault::TypeWidth,
        "red.global.add.v2.u32 [%rd1], {%r2, %r3};",
        Door::Verifier("W0103"),
    ),
    (
        Fault::OperandType,
        "atom.global.add.u32 %r2, [%rd1], %rd2;",
        Door::Both("W0202"),
    ),
    (
        Fault::OperandType,
        "atom.shared.cas.b64 %rd2, [%r1], %rd2, %r3;",
        Door::Both("W0202"),
    ),
    (
        Fault::OperandType,
        "red.global.add.noftz.f16 [%rd1], %r3;",
        Door::Both("W0202"),
    ),
    (
        Fault::ParamType(DataType::F32, 2),
        "atom.shared.add.L2::cache_hint.u32 %r2, [%r1], %r3, %rd2;",
        Door::Verifier("W0103"),
    ),
    (
        Fault::ParamType(DataType::F32, 3),
        "atom.global.cas.L2::cache_hint.b32 %r2, [%rd1], %r2, %r3, %rd2;",
        Door::Verifier("W0103"),
    ),
];

#[test]
fn each_fault_has_its_door() {
    for (fault, instruction, door) in CASES {
        let (verified, assembled) = (verified(instruction), assembled(instruction));
        match door {
            Door::Both(code) => {
                assert_eq!(verified, Err(*code), "{instruction}");
                let (code, message) = assembled.expect_err("it is refused");
                assert_eq!(code, codes::BAD_ATOMIC.0, "{instruction}");
                let name = instruction.split(' ').next().unwrap_or_default();
                assert!(message.starts_with(&fault.text(name)), "{message}");
                assert!(message.contains(CODE), "{message}");
            }
            Door::Verifier(code) => {
                assert_eq!(verified, Err(*code), "{instruction}");
                assert_eq!(assembled, Err(("unread", String::new())), "{instruction}");
            }
            Door::Taken => {
                assert_eq!(verified, Ok(()), "{instruction}");
                assert_eq!(assembled, Ok(()), "{instruction}");
            }
        }
    }
    for fault in Fault::ALL {
        let kind = std::mem::discriminant(&fault);
        let mut cases = CASES.iter().map(|case| std::mem::discriminant(&case.0));
        assert!(cases.any(|one| one == kind), "{fault:?}");
    }
}

/// Every `atom` and `red` that PTX has passes the checks, and its words say what it says.
#[test]
fn every_atomic_of_ptx_passes() {
    let spaces = [
        StateSpace::Generic,
        StateSpace::Global,
        StateSpace::Shared,
        StateSpace::SharedCta,
        StateSpace::SharedCluster,
    ];
    let orders = || [None].into_iter().chain(Ordering::all().map(Some));
    let scopes = || [None].into_iter().chain(Scope::all().map(Some));
    let mut count = 0;
    for form in &FORMS {
        for (&op, &ty) in (form.ops.iter()).flat_map(|op| form.types.iter().map(move |ty| (op, ty)))
        {
            for (&elements, space) in
                (form.elements.iter()).flat_map(|one| spaces.map(|space| (one, space)))
            {
                for (order, scope) in
                    orders().flat_map(|order| scopes().map(move |scope| (order, scope)))
                {
                    for (has_result, cache_hint) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        let atomic = Atomic {
                            op,
                            ty,
                            elements,
                            noftz: form.noftz,
                            space,
                            order,
                            scope,
                            has_result,
                            cache_hint,
                        };
                        if atomic.check().is_ok() {
                            count += 1;
                            passes(&atomic);
                        }
                    }
                }
            }
        }
    }
    assert_eq!(count, 13_745);
}

fn passes(atomic: &Atomic) {
    let text = atomic.to_string();
    let mnemonic = Mnemonic::find(&text).unwrap_or_else(|| panic!("PTX has no `{text}`"));
    let [choice] = &mnemonic.choices[..] else {
        panic!("{text} is more than one form");
    };
    let description = Description::of(Source::of_mnemonic(choice));
    let Ok(Description::Atomic(words)) = description else {
        panic!("{text}: {description:?}");
    };
    let modifier = Modifier::unpack(words.word).expect("a word");
    let order = AtomicModifier::unpack(words.order).expect("a word");
    let said = modifier.atomic().expect("an instruction");
    let space = match atomic.space {
        StateSpace::SharedCta => StateSpace::Shared,
        space => space,
    };
    assert_eq!(
        order.order,
        atomic.order.unwrap_or(Ordering::Relaxed),
        "{text}"
    );
    assert_eq!(order.scope, atomic.scope.unwrap_or(Scope::Gpu), "{text}");
    let expected = Atomic {
        order: Some(Ordering::Relaxed),
        scope: Some(order.scope),
        space,
        ..*atomic
    };
    assert_eq!(said, expected, "{text}");
}
