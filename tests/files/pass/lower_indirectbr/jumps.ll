; test: pass lower_indirectbr
; Addresses of blocks in a table, in a register, twice in a list, never taken.
@table = internal constant [3 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two), ptr blockaddress(@g, %only)]

define i32 @f(i64 %i, i1 %c) {
entry:
  %p = getelementptr [3 x ptr], ptr @table, i64 0, i64 %i
  %a = load ptr, ptr %p
  %b = select i1 %c, ptr %a, ptr blockaddress(@f, %three)
  indirectbr ptr %b, [label %one, label %two, label %three, label %one, label %never]

one:
  %x = phi i32 [ 1, %entry ], [ 1, %entry ], [ 7, %two ]
  ret i32 %x

two:
  indirectbr ptr %a, [label %one]

three:
  ret i32 3

never:
  %y = phi i32 [ 4, %entry ]
  ret i32 %y
}

define void @g() {
  br label %only

only:
  ret void
}

; expect ll:
; @table = internal constant [3 x ptr] [ptr inttoptr (i64 1 to ptr), ptr inttoptr (i64 2 to ptr), ptr inttoptr (i64 1 to ptr)]
;
; define i32 @f(i64 %i, i1 %c) {
; entry:
;   %p = getelementptr [3 x ptr], ptr @table, i64 0, i64 %i
;   %a = load ptr, ptr %p
;   %b = select i1 %c, ptr %a, ptr inttoptr (i64 3 to ptr)
;   %0 = ptrtoint ptr %b to i64
;   switch i64 %0, label %three [
;     i64 1, label %one
;     i64 2, label %two
;   ]
;
; one:                                              ; preds = %two, %entry
;   %x = phi i32 [ 1, %entry ], [ 7, %two ]
;   ret i32 %x
;
; two:                                              ; preds = %entry
;   br label %one
;
; three:                                            ; preds = %entry
;   ret i32 3
; }
;
; define void @g() {
;   br label %only
;
; only:                                             ; preds = %0
;   ret void
; }
