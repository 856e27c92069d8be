//! Specifications that are read, and mistakes with their places.

use super::*;
use ScalarType::*;

fn array(text: &str) -> Array {
    match parse(text) {
        Ok(Spec::Array(array)) => array,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn scalars() {
    assert_eq!(parse("u32=7"), Ok(Spec::Scalar(U32, 7)));
    assert_eq!(parse("s8=-1"), Ok(Spec::Scalar(S8, 0xff)));
    assert_eq!(parse(" f32= 1 "), Ok(Spec::Scalar(F32, 0x3f80_0000)));
    assert_eq!(parse("bf16=1"), Ok(Spec::Scalar(Bf16, 0x3f80)));
    assert_eq!(parse("null"), Ok(Spec::Null));
    let address = |text| match parse(text) {
        Ok(Spec::Address(reference)) => reference,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(address("&3"), Reference::Argument(3));
    assert_eq!(address("&data_1"), Reference::Named("data_1".into()));
    let Ok(Spec::Addresses(list)) = parse("ptr[4]=&x,&u32[2]=100,200,null,&{u8=1,&y}") else {
        panic!("they are addresses");
    };
    assert_eq!(list.iter().filter(|one| one.is_some()).count(), 3);
    let new = Reference::New(Box::new(Spec::Scalar(U32, 7)));
    assert_eq!(address("&u32=7"), new);
    assert_eq!(
        parse("ptr[]=&a, null,&0"),
        Ok(Spec::Addresses(vec![
            Some(Reference::Named("a".into())),
            None,
            Some(Reference::Argument(0))
        ]))
    );
    assert_eq!(parse("hex:01_ff"), Ok(Spec::Bytes(vec![1, 255])));
    assert_eq!(parse("raw@a=b.bin"), Ok(Spec::RawFile("a=b.bin".into())));
}

#[test]
fn arrays() {
    assert_eq!(array("u32[256]=0").fill, Fill::Value(0));
    assert_eq!(
        array("u32[3]=1,2,3").fill,
        Fill::List(vec![(1, 1), (2, 1), (3, 1)])
    );
    assert_eq!(array("u32[]=5").fill, Fill::List(vec![(5, 1)]));
    assert_eq!(array("u8[5]=0*4,9").fill, Fill::List(vec![(0, 4), (9, 1)]));
    assert_eq!(
        array("u32[4]=iota:10:-2").fill,
        Fill::Iota {
            start: Number::Int(10),
            step: Number::Int(-2)
        }
    );
    assert_eq!(
        array("f32[4]=random:1:-1:1").fill,
        Fill::Random {
            seed: Some(1),
            range: Some((Number::Float(-1.0), Number::Float(1.0)))
        }
    );
    assert_eq!(
        array("u8[]=text:\"a b\\n\"").fill,
        Fill::Text(b"a b\n".to_vec())
    );
    assert_eq!(array("u64[16]@x.bin").fill, Fill::File("x.bin".into()));
    assert_eq!(array("u64[]@x.bin").len, None);
}

#[test]
fn structures() {
    let Ok(Spec::Struct(members)) = parse("{u32=1, f32[3]=1,2,inf,{u8=1,null},&0}") else {
        panic!("it is a structure");
    };
    assert_eq!(members.len(), 4);
    assert!(matches!(&members[1], Spec::Array(a) if a.len == Some(3)));
    assert_eq!(
        members[2],
        Spec::Struct(vec![Spec::Scalar(U8, 1), Spec::Null])
    );
    assert_eq!(members[3], Spec::Address(Reference::Argument(0)));
    let Ok(Spec::Struct(members)) = parse("{&u32[3]=1,2,3,u32=3,&{u8=1,&x}}") else {
        panic!("it is a structure");
    };
    assert_eq!(members.len(), 3);
    let Spec::Address(Reference::New(list)) = &members[0] else {
        panic!("it is an address: {members:?}");
    };
    assert!(matches!(&**list, Spec::Array(a) if a.len == Some(3)));
}

#[test]
fn mistakes_have_their_place() {
    for (text, at, message) in [
        ("", 0..0, "the argument is empty"),
        ("u33=7", 0..3, "`u33` is not a type"),
        ("7", 0..1, "begins with its type"),
        ("pred=1", 0..4, "`pred` is not a type"),
        ("u32", 0..3, "neither `=` nor `[`"),
        ("u8=256", 3..6, "does not fit into u8"),
        ("u32[4", 4..5, "the `]` is missing"),
        ("u32[x]=1", 4..5, "`x` is not a count"),
        ("u32[2]=1,2,3", 0..12, "has 2 elements, 3 values"),
        ("u32[2]=1,z", 9..10, "`z` is not an integer"),
        ("u32[]=iota", 0..10, "the length is missing"),
        ("u32[4]", 6..6, "the values are missing"),
        ("u32[4]=iota:1:2:3", 7..17, "`iota` does not take this"),
        ("u32[4]=random:1:5:5", 18..19, "the range is empty"),
        ("u32[4]=text:abcd", 12..16, "text does not go into"),
        ("u8[4]=text:\\q", 11..13, "unknown escape"),
        ("hex:123", 4..7, "not bytes"),
        ("{u32=1", 0..6, "braces"),
        ("{u32=1}}", 0..8, "braces"),
        ("{u32=1,u9=2}", 7..9, "`u9` is not a type"),
        ("&1x", 1..3, "is not a count"),
        ("&", 1..1, "the argument is empty"),
        ("&&x", 1..3, "an address has no address"),
        (
            "{u8=1,ptr[2]=&a,null,&b,u8=1}",
            10..11,
            "has 2 addresses, 3 are given",
        ),
        ("&u9=1", 1..3, "`u9` is not a type"),
        ("ptr[2]=&a", 4..5, "has 2 addresses, 1 are given"),
        ("ptr[]=&a,u32=1", 9..14, "not an address"),
        ("ptr[=&a", 4..7, "the `]` is missing"),
        ("ptr[]", 5..5, "the addresses are missing"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert_eq!(error.at, at, "{text}: {error:?}");
    }
    let deep = format!("{}u8=1{}", "{".repeat(1000), "}".repeat(1000));
    assert!(parse(&deep).is_err());
}

proptest::proptest! {
    /// Whatever is written, there is an answer, and mistakes lie inside the text.
    #[test]
    fn every_text_has_an_answer(
        text in "([us]32|f16|b8|hex|\\{|\\}|\\[|\\]|=|,|:|\\*|@|&|iota|random|text|null|-|0x|[0-9]|\"|\\\\|é){0,12}"
    ) {
        if let Err(error) = parse(&text) {
            proptest::prop_assert!(error.at.start <= error.at.end && error.at.end <= text.len());
            proptest::prop_assert!(text.get(error.at).is_some());
        }
    }
}
