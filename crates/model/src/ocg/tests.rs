use super::*;
use crate::atomic::Illegal;
use DataType as T;
use std::collections::BTreeMap;

type Verdict = Result<(Modifier, Vec<Fault>), Vec<Fault>>;

fn check(tokens: &[u32], address: T, data: &[T]) -> Verdict {
    let qualifiers = Qualifiers::parse(tokens);
    let intrinsic = Intrinsic {
        qualifiers,
        address,
        data,
    };
    intrinsic.validate()
}

fn fault(tokens: &[u32], address: T, data: &[T]) -> Fault {
    *check(tokens, address, data).unwrap_err().last().unwrap()
}

/// An instruction whose operands are of the types that it names.
fn check_atomic(atomic: &Atomic) -> Result<Modifier, Vec<Fault>> {
    let ty = T::of(atomic.ty).map_or(T::UNSPECIFIED, |known| known.0);
    let count = match atomic.op {
        AtomicOp::Cas => 2,
        _ => usize::from(atomic.elements),
    };
    Modifier::of(atomic, &vec![ty; count])
}

/// Every combination of what an atomic can say, legal or not.
fn matrix() -> impl Iterator<Item = Atomic> {
    use AtomicOp::*;
    // `Sub` stands for those that PTX lacks, and local memory for the spaces that atomics lack.
    const OPS: [AtomicOp; 11] = [Exch, Add, Sub, And, Or, Xor, Max, Min, Inc, Dec, Cas];
    const SPACES: [StateSpace; 6] = [
        StateSpace::Generic,
        StateSpace::Global,
        StateSpace::Shared,
        StateSpace::SharedCta,
        StateSpace::SharedCluster,
        StateSpace::Local,
    ];
    let orders = || [None].into_iter().chain(Ordering::all().map(Some));
    let scopes = || [None].into_iter().chain(Scope::all().map(Some));
    let meanings = OPS
        .into_iter()
        .flat_map(|op| AtomicType::all().map(move |ty| (op, ty)));
    meanings.flat_map(move |(op, ty)| {
        let elements = [1, 2, 4, 8].into_iter();
        let places = elements.flat_map(|elements| SPACES.map(|space| (elements, space)));
        places.flat_map(move |(elements, space)| {
            let orders = orders().flat_map(move |order| scopes().map(move |scope| (order, scope)));
            orders.flat_map(move |(order, scope)| {
                (0..8u8).map(move |bits| Atomic {
                    op,
                    ty,
                    elements,
                    space,
                    order,
                    scope,
                    noftz: bits & 1 != 0,
                    has_result: bits & 2 != 0,
                    cache_hint: bits & 4 != 0,
                })
            })
        })
    })
}

#[test]
fn an_empty_token_array_is_the_default() {
    assert_eq!(Qualifiers::parse(&[]), Qualifiers::DEFAULT);
    assert_eq!(Qualifiers::parse(&[35, u32::MAX]), Qualifiers::DEFAULT);
}

#[test]
fn each_token_sets_one_thing_and_has_its_number() {
    for (number, token) in TOKENS.into_iter().enumerate() {
        let number = number as u32;
        assert_ne!(
            Qualifiers::parse(&[number]),
            Qualifiers::DEFAULT,
            "{number}"
        );
        assert_eq!(token.number(), Some(number), "{token:?}");
    }
    let all = Qualifiers::parse(&[0, 1, 3, 5, 6, 9, 18, 31, 33, 34]);
    assert_eq!(
        all,
        Qualifiers {
            order: Some(Ordering::Relaxed),
            domain: Domain::Mmio,
            mmio: true,
            scope: Some(Scope::Cta),
            no_return: true,
            width: Width::Bits64,
            elements: Elements::Exactly(4),
            ty: T::S32,
            op: Some(AtomicOp::Xor),
            noftz: true,
            policy: true,
        }
    );
    // The numbers of the description.
    use Token::{Order, Scope as Of, Type};
    for (number, token) in [
        (0, Order(Ordering::Relaxed)),
        (1, Token::Domain(Domain::Mmio)),
        (2, Token::Domain(Domain::Shared)),
        (3, Of(Scope::Cta)),
        (4, Of(Scope::Gpu)),
        (5, Token::NoReturn),
        (6, Token::Width(Width::Bits64)),
        (7, Token::Elements(Elements::TwoOrFour)),
        (8, Type(T::F32)),
        (9, Type(T::S32)),
        (10, Type(T::U32)),
        (11, Token::Op(AtomicOp::Add)),
        (12, Token::Op(AtomicOp::Min)),
        (13, Token::Op(AtomicOp::Max)),
        (14, Token::Op(AtomicOp::Inc)),
        (15, Token::Op(AtomicOp::Dec)),
        (16, Token::Op(AtomicOp::And)),
        (17, Token::Op(AtomicOp::Or)),
        (18, Token::Op(AtomicOp::Xor)),
    ] {
        assert_eq!(TOKENS[number], token);
    }
    assert_eq!(DESCRIBED, 19);
}

/// One failing and one passing input a step; tokens by number.
#[test]
fn ten_steps() {
    const U: [T; 1] = [T::U32];
    let ok = |tokens: &[u32], address, data: &[T]| {
        let (_, warnings) = check(tokens, address, data).unwrap();
        assert_eq!(warnings, [], "{tokens:?}");
    };
    // 1
    assert_eq!(fault(&[0, 4, 23, 10, 11], T::U32, &U), Fault::Domain);
    ok(&[0, 2, 4, 10, 11], T::U32, &U);
    // 2
    assert_eq!(
        fault(&[0, 4, 7, 8, 11], T::U32, &[T::F32]),
        Fault::VectorCount
    );
    assert_eq!(
        fault(&[0, 4, 7, 30, 8, 11], T::U32, &[T::F32; 4]),
        Fault::VectorCount
    );
    ok(&[0, 4, 7, 8, 11], T::U32, &[T::F32; 4]);
    assert_eq!(fault(&[0, 1, 4, 10, 11], T::U32, &U), Fault::VectorCount);
    assert_eq!(fault(&[0, 4, 10, 20], T::U32, &U), Fault::VectorCount);
    ok(&[0, 4, 10, 20], T::U32, &[T::U32; 2]);
    // 3
    assert_eq!(fault(&[0, 4, 11], T::U32, &U), Fault::TypeMissing);
    ok(&[0, 4, 10, 11], T::U32, &U);
    // 4
    assert_eq!(
        fault(&[0, 4, 7, 9, 11], T::U32, &[T::S32; 2]),
        Fault::VectorType
    );
    ok(&[0, 4, 7, 8, 11], T::U32, &[T::F32; 2]);
    // 5
    assert_eq!(
        check(&[0, 4, 10], T::U32, &U),
        Err(vec![Fault::OpMissing, Fault::OpMissing])
    );
    ok(&[0, 4, 10, 15], T::U32, &U);
    // 6
    assert_eq!(fault(&[0, 4, 5, 10, 19], T::U32, &U), Fault::Reduction);
    let swap = fault(&[0, 4, 5, 10, 20], T::U32, &[T::U32; 2]);
    assert_eq!(swap, Fault::Reduction);
    ok(&[0, 2, 4, 5, 10, 12], T::U32, &U);
    ok(&[0, 4, 10, 19], T::U32, &U);
    // 7
    let (_, warnings) = check(&[4, 10, 11], T::U32, &U).unwrap();
    assert_eq!(warnings, [Fault::ScopeWithoutOrder]);
    assert_eq!(fault(&[0, 10, 11], T::U32, &U), Fault::OrderWithoutScope);
    ok(&[10, 11], T::U32, &U);
    // 8
    assert_eq!(
        fault(&[0, 1, 2, 4, 10, 11], T::U32, &[T::U32; 2]),
        Fault::MmioDomain
    );
    ok(&[0, 1, 4, 10, 11], T::U32, &[T::U32; 2]);
    // 9
    assert_eq!(
        fault(&[0, 4, 6, 9, 11], T::U32, &[T::S32]),
        Fault::TypeWidth
    );
    assert_eq!(fault(&[0, 4, 6, 8, 12], T::U32, &[T::F32]), Fault::TypeOp);
    ok(&[0, 4, 9, 11], T::U32, &[T::S32]);
    ok(&[0, 4, 6, 8, 11], T::U32, &[T::F32]);
    ok(&[0, 4, 6, 9, 12], T::U32, &[T::S32]);
    // 10
    assert_eq!(
        fault(&[0, 4, 10, 11], T::U32, &[T::S32]),
        Fault::OperandType
    );
    let address = fault(&[0, 4, 10, 11], T::S32, &U);
    assert_eq!(address, Fault::ParamType(T::S32, 0));
    assert_eq!(
        address.text("atom_add"),
        "Instrinsic - \"atom_add\": Unexpected instrinsic type (s32) in param (0)"
    );
    let policy = fault(&[0, 2, 4, 10, 11, 34], T::U32, &U);
    assert_eq!(policy, Fault::ParamType(T::F32, 2));
    ok(&[0, 4, 10, 11, 34], T::F32, &U);
}

/// Each step's faults say so, and earlier steps come first.
#[test]
fn steps_run_in_order() {
    assert_eq!(fault(&[], T::S32, &[]).step(), 2);
    assert_eq!(fault(&[5, 0], T::S32, &[T::U32]).step(), 3);
    assert_eq!(fault(&[5, 0, 10], T::S32, &[T::U32]).step(), 5);
    assert_eq!(fault(&[5, 0, 10, 19], T::S32, &[T::U32]).step(), 6);
    assert_eq!(fault(&[5, 0, 9, 16], T::S32, &[T::U32]).step(), 7);
    assert_eq!(fault(&[5, 9, 16], T::S32, &[T::U32]).step(), 9);
    assert_eq!(fault(&[5, 9, 11], T::S32, &[T::U32]).step(), 10);
}

/// Every fault, and what PTX's own table says of the same instruction: the steps refuse no instruction that PTX has,
/// and let none through that it lacks.
#[test]
fn the_steps_and_the_table_of_ptx_agree_on_every_form() {
    let (mut legal, mut illegal) = (0u32, 0u32);
    let spelled = &mut 0u32;
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    let mut words = std::collections::BTreeSet::new();
    for atomic in matrix() {
        let verdict = check_atomic(&atomic);
        match atomic.check() {
            Ok(_) => {
                legal += 1;
                let modifier = verdict.unwrap_or_else(|found| panic!("{atomic}: {found:?}"));
                let word = modifier.pack().unwrap_or_else(|| panic!("{atomic}"));
                assert_eq!(Modifier::unpack(word), Some(modifier), "{atomic}");
                words.insert(word);
                // The word has all of it but the order; `.shared::cta` is `.shared`.
                let space = match atomic.space {
                    StateSpace::SharedCta => StateSpace::Shared,
                    space => space,
                };
                let whole = Atomic {
                    order: Some(Ordering::Relaxed),
                    scope: Some(atomic.scope.unwrap_or(Scope::Gpu)),
                    space,
                    ..atomic
                };
                assert_eq!(modifier.atomic(), Some(whole));
            }
            Err(why) => {
                illegal += 1;
                match verdict {
                    // What a `red` cannot acquire is said by its order, which is not among the tokens.
                    Ok(_) if why == (Illegal::Order { has_result: false }) => *spelled += 1,
                    // `.b32` and `.u32` are one type: the instruction is another one, which PTX has.
                    Ok(modifier) => {
                        let other = modifier.atomic().expect("an instruction");
                        assert!(other.check().is_ok(), "{atomic}: {other}");
                        assert_eq!(T::of(other.ty), T::of(atomic.ty), "{atomic}: {other}");
                        assert_ne!(other.ty, atomic.ty, "{atomic}: {why:?}");
                        *spelled += 1;
                    }
                    Err(faults) => {
                        let name = format!("{:?}", faults[faults.len() - 1]);
                        let name = name.split('(').next().unwrap_or_default().to_owned();
                        *found.entry(name).or_default() += 1;
                    }
                }
            }
        }
    }
    println!(
        "{legal} legal, {} words, {illegal} not, {spelled} of them by spelling: {found:?}",
        words.len()
    );
    assert_eq!((legal, words.len()), (13_745, 2_472));
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    // Operands that are of the types named cannot have the faults of operands; nothing in PTX is mmio.
    assert_eq!(
        names,
        [
            "Domain",
            "OpMissing",
            "OrderWithoutScope",
            "ParamType",
            "Reduction",
            "ScopeWithoutOrder",
            "TypeMissing",
            "TypeOp",
            "TypeWidth",
            "VectorCount",
            "VectorType",
        ]
    );
}

#[test]
fn words_both_ways() {
    // Every bit of the mark, every other bit: what unpacks is what packs to it.
    let mut count = 0u32;
    for low in 0..1u32 << 16 {
        for high in [
            0x6000, 0x6010, 0x6050, 0x60C0, 0x6C00, 0x6302, 0x6001, 0x6009, 0x6F57, 0x7000, 0,
        ] {
            let word = high << 16 | low;
            if let Some(modifier) = Modifier::unpack(word) {
                assert_eq!(modifier.pack(), Some(word), "{word:#x}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 9_600);
    // As described: type, operation, reduction, order, scope, flags.
    let described = (0..=0x7FFFu32)
        .map(|low| 0x6000_0000 | low)
        .filter(|word| word >> 2 & 7 != 4 && word >> 2 & 7 != 7);
    let described = described.filter(|word| Modifier::unpack(*word).is_some());
    // Four of type and data together, where the description leaves them independent: 00 1, 01 0, 10 0, 10 1.
    assert_eq!(described.count(), 4 * 8 * 2 * 2 * 3 * 2);
    for bad in [
        0,
        0x6000_6000,
        0x6000_0200,
        0x7000_0000,
        0x6000_0002 | 3 << 20,
    ] {
        assert_eq!(Modifier::unpack(bad), None, "{bad:#x}");
    }
    let word = |tokens: &[u32], data: &[T]| check(tokens, T::F32, data).unwrap().0.pack().unwrap();
    assert_eq!(word(&[9, 13], &[T::S32]), 0x6000_2000 | 2 << 10);
    assert_eq!(word(&[6, 10, 11], &[T::U32]), 0x6000_4000 | 2);
    assert_eq!(word(&[8, 11], &[T::F32]), 0x6000_4000);
    assert_eq!(
        word(&[5, 10, 18], &[T::U32]),
        0x6000_0000 | 7 << 10 | 1 << 8 | 2
    );
    assert_eq!(
        word(&[0, 3, 10, 11], &[T::U32]),
        0x6000_0000 | 4 << 5 | 5 << 2 | 2
    );
    assert_eq!(word(&[2, 10, 11], &[T::U32]), 0x6050_0002);
    assert_eq!(word(&[22, 6, 9, 13], &[T::S32]), 0x6022_2000 | 2 << 10);
}

/// The table of the description, and what is different in it.
#[test]
fn opcodes_by_domain() {
    let of = |domain, no_return, chip: &str| {
        let opcode = Opcode::of(domain, no_return, chip.parse().unwrap());
        opcode.map(Opcode::name)
    };
    for chip in ["sm_75", "sm_89", "sm_90", "sm_120"] {
        assert_eq!(of(Domain::Global, false, chip), Some("ATOMG"));
        assert_eq!(of(Domain::Mmio, false, chip), Some("ATOMG"));
        for no_return in [false, true] {
            assert_eq!(of(Domain::Shared, no_return, chip), Some("ATOMS"));
            assert_eq!(of(Domain::Generic, no_return, chip), Some("ATOM"));
            assert_eq!(of(Domain::SharedCluster, no_return, chip), Some("ATOM"));
            assert_eq!(of(Domain::Other, no_return, chip), None);
        }
    }
    assert_eq!(of(Domain::Global, true, "sm_89"), Some("RED"));
    assert_eq!(of(Domain::Global, true, "sm_90"), Some("REDG"));
    assert_eq!(of(Domain::Mmio, true, "sm_100"), Some("REDG"));
}
