use super::*;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};

/// Reads a module.
fn read(text: &str) -> Module {
    let file = warpc_diag::SourceFile::new("test.ll", text).unwrap();
    let read = warpc_nvvm::read_text(&file);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics);
    read.value.unwrap()
}

fn check(module: &Module, expected: &str) {
    let found = warpc_nvvm::verify(module);
    let text = warpc_nvvm::print(module);
    assert!(!found.has_errors(), "{found:?}\n{text}");
    assert_eq!(text.trim(), expected.trim());
}

/// Each `mul` becomes a loop of additions, so blocks are split more than once in a walk.
#[test]
fn an_instruction_can_become_a_loop() {
    let mut module = read(
        "define i32 @f(i32 %x, i1 %c) {
entry:
  br i1 %c, label %work, label %end

work:
  %a = mul i32 %x, 5
    #dbg_value(i32 %a, !3, !DIExpression(), !4)
  %b = mul i32 %a, 7
  %d = add i32 %b, %a
  br label %end

end:
  %r = phi i32 [ %d, %work ], [ %x, %entry ]
  ret i32 %r
}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: \"a\", directory: \"b\")
!2 = distinct !DISubprogram(name: \"f\", file: !1, unit: !0)
!3 = !DILocalVariable(name: \"a\", scope: !2)
!4 = !DILocation(line: 1, scope: !2)
",
    );
    edit_bodies(&mut module, |editor| {
        editor.rewrite(|editor, inst| {
            if editor.body.insts[inst].op != Op::Binary(BinaryOp::Mul) {
                return Action::Keep;
            }
            let (x, n) = (editor.body.operands(inst)[0], editor.body.operands(inst)[1]);
            let (before, body, done) = (editor.block(), editor.new_block(), editor.new_block());
            let i32 = editor.module.types.i32;
            editor.br(body);
            editor.start(body);
            let (sum_phi, sum) = editor.phi(i32);
            let (i_phi, i) = editor.phi(i32);
            let next_sum = editor.binary(BinaryOp::Add, sum, x);
            let one = editor.int(i32, 1);
            let next = editor.binary(BinaryOp::Add, i, one);
            let more = editor.icmp(IcmpPredicate::Ult, next, n);
            editor.cond_br(more, body, done);
            let zero = editor.int(i32, 0);
            editor.set_phi(sum_phi, &[(zero, before), (next_sum, body)]);
            editor.set_phi(i_phi, &[(zero, before), (next, body)]);
            editor.start(done);
            Action::Replace(next_sum)
        });
    });
    check(
        &module,
        "define i32 @f(i32 %x, i1 %c) {
entry:
  br i1 %c, label %work, label %end

work:                                             ; preds = %entry
  br label %0

0:                                                ; preds = %0, %work
  %1 = phi i32 [ 0, %work ], [ %3, %0 ]
  %2 = phi i32 [ 0, %work ], [ %4, %0 ]
  %3 = add i32 %1, %x
  %4 = add i32 %2, 1
  %5 = icmp ult i32 %4, 5
  br i1 %5, label %0, label %6

6:                                                ; preds = %0
    #dbg_value(i32 %3, !0, !DIExpression(), !4)
  br label %7

7:                                                ; preds = %7, %6
  %8 = phi i32 [ 0, %6 ], [ %10, %7 ]
  %9 = phi i32 [ 0, %6 ], [ %11, %7 ]
  %10 = add i32 %8, %3
  %11 = add i32 %9, 1
  %12 = icmp ult i32 %11, 7
  br i1 %12, label %7, label %13

13:                                               ; preds = %7
  %d = add i32 %10, %3
  br label %end

end:                                              ; preds = %13, %entry
  %r = phi i32 [ %d, %13 ], [ %x, %entry ]
  ret i32 %r
}

!0 = !DILocalVariable(name: \"a\", scope: !1)
!1 = distinct !DISubprogram(name: \"f\", file: !2, unit: !3)
!2 = !DIFile(filename: \"a\", directory: \"b\")
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)
!4 = !DILocation(line: 1, scope: !1)",
    );
}

#[test]
fn an_edge_gets_a_block() {
    let mut module = read(
        "define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %end [
    i32 1, label %one
    i32 2, label %end
  ]

one:
  br label %end

end:
  %r = phi i32 [ 5, %entry ], [ 5, %entry ], [ 6, %one ]
  ret i32 %r
}
",
    );
    edit_bodies(&mut module, |editor| {
        let (from, to) = (editor.body.order[0], editor.body.order[2]);
        split_edge(editor.module, editor.body, from, to);
    });
    check(
        &module,
        "define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %0 [
    i32 1, label %one
    i32 2, label %0
  ]

0:                                                ; preds = %entry, %entry
  br label %end

one:                                              ; preds = %entry
  br label %end

end:                                              ; preds = %one, %0
  %r = phi i32 [ 5, %0 ], [ 6, %one ]
  ret i32 %r
}",
    );
}

#[test]
fn what_nothing_reaches_goes() {
    let mut module = read(
        "define i32 @f(i32 %x) {
entry:
  br label %end

dead:
  %y = add i32 %x, 1
  br i1 false, label %dead, label %end

end:
  %r = phi i32 [ 5, %entry ], [ %y, %dead ]
  ret i32 %r
}
",
    );
    edit_bodies(&mut module, |editor| {
        assert!(remove_unreachable(
            editor.module,
            editor.function,
            editor.body
        ));
        assert!(!remove_unreachable(
            editor.module,
            editor.function,
            editor.body
        ));
    });
    check(
        &module,
        "define i32 @f(i32 %x) {
entry:
  br label %end

end:                                              ; preds = %entry
  %r = phi i32 [ 5, %entry ]
  ret i32 %r
}",
    );
}
