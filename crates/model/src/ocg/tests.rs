use super::*;
use DataType as T;

fn check(tokens: &[u32], address: T, data: &[T]) -> Result<(Modifier, Vec<Fault>), Vec<Fault>> {
    let qualifiers = Qualifiers::parse(tokens);
    Intrinsic {
        qualifiers,
        address,
        data,
    }
    .validate()
}

fn fault(tokens: &[u32], address: T, data: &[T]) -> Fault {
    *check(tokens, address, data).unwrap_err().last().unwrap()
}

#[test]
fn empty_token_array_is_the_default() {
    assert_eq!(Qualifiers::parse(&[]), Qualifiers::DEFAULT);
    assert_eq!(Qualifiers::parse(&[19, u32::MAX]), Qualifiers::DEFAULT);
}

#[test]
fn each_token_sets_one_thing() {
    for token in 0..TOKENS.len() as u32 {
        assert_ne!(Qualifiers::parse(&[token]), Qualifiers::DEFAULT, "{token}");
    }
    let all = Qualifiers::parse(&[0, 1, 3, 5, 6, 9, 18]);
    assert_eq!(
        all,
        Qualifiers {
            order: Some(Ordering::Relaxed),
            domain: Domain::Mmio,
            mmio: true,
            scope: Some(Scope::Cta),
            no_return: true,
            width: Width::Bits64,
            ty: T::S32,
            op: Some(AtomicOp::Xor),
        }
    );
}

/// One failing and one passing input a step; tokens by number.
#[test]
fn ten_steps() {
    const U: [T; 1] = [T::U32];
    let ok = |tokens: &[u32], address, data: &[T]| {
        let (_, warnings) = check(tokens, address, data).unwrap();
        assert_eq!(warnings, [], "{tokens:?}");
    };
    // 1: no token sets such a domain.
    let mut qualifiers = Qualifiers::parse(&[0, 4, 10, 11]);
    qualifiers.domain = Domain::Other(3);
    let other = Intrinsic {
        qualifiers,
        address: T::U32,
        data: &U,
    };
    assert_eq!(other.validate(), Err(vec![Fault::Domain]));
    ok(&[0, 2, 4, 10, 11], T::U32, &U);
    // 2
    assert_eq!(fault(&[0, 4, 7, 10, 11], T::U32, &U), Fault::VectorCount);
    ok(&[0, 4, 7, 10, 11], T::U32, &[T::U32; 4]);
    assert_eq!(fault(&[0, 1, 4, 10, 11], T::U32, &U), Fault::VectorCount);
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
    assert_eq!(
        fault(&[0, 2, 4, 5, 10, 12], T::U32, &U),
        Fault::SharedReduction
    );
    ok(&[0, 2, 4, 5, 10, 11], T::U32, &U);
    ok(&[0, 2, 4, 10, 12], T::U32, &U);
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
    // 10
    assert_eq!(
        fault(&[0, 4, 10, 11], T::U32, &[T::S32]),
        Fault::OperandType
    );
    let fault = fault(&[0, 4, 10, 11], T::S32, &U);
    assert_eq!(fault, Fault::AddressType(T::S32));
    assert_eq!(
        fault.text("atom_add"),
        "Instrinsic - \"atom_add\": Unexpected instrinsic type (s32) in param (0)"
    );
    ok(&[0, 4, 10, 11], T::F32, &U);
}

/// Each step's faults say so, and earlier steps come first.
#[test]
fn steps_run_in_order() {
    assert_eq!(fault(&[], T::S32, &[]).step(), 2);
    assert_eq!(fault(&[2, 5, 0], T::S32, &[T::U32]).step(), 3);
    assert_eq!(fault(&[2, 5, 0, 10], T::S32, &[T::U32]).step(), 5);
    assert_eq!(fault(&[2, 5, 0, 10, 13], T::S32, &[T::U32]).step(), 6);
    assert_eq!(fault(&[2, 5, 0, 10, 11], T::S32, &[T::U32]).step(), 7);
    assert_eq!(fault(&[2, 5, 10, 11], T::S32, &[T::U32]).step(), 10);
}

#[test]
fn words_both_ways() {
    let words: Vec<u32> = (0..=0xFFFF)
        .map(|low| MARK | low)
        .filter(|&word| Modifier::unpack(word).is_some())
        .collect();
    assert_eq!(words.len(), 3 * 8 * 2 * 2 * 3 * 4);
    for word in words {
        assert_eq!(Modifier::unpack(word).unwrap().pack(), Some(word));
    }
    for bad in [0, MARK | 0x6000, MARK | 0x200, 0x7000_0000, MARK | 1 << 20] {
        assert_eq!(Modifier::unpack(bad), None, "{bad:#x}");
    }
    let word = |tokens: &[u32], data: &[T]| check(tokens, T::F32, data).unwrap().0.pack().unwrap();
    assert_eq!(word(&[9, 13], &[T::S32]), MARK | 0x2000 | 2 << 10);
    assert_eq!(word(&[6, 10, 11], &[T::U32]), MARK | 0x4000 | 2);
    assert_eq!(word(&[5, 10, 18], &[T::U32]), MARK | 7 << 10 | 1 << 8 | 2);
    assert_eq!(word(&[0, 3, 10, 11], &[T::U32]), MARK | 4 << 5 | 5 << 2 | 2);
}
