; Blocks, terminators, phi nodes, dominance.
target triple = "nvptx64-nvidia-cuda"

define i32 @diamond(i32 %n, i1 %c) {
entry:
  %start = add i32 %n, 1
  br i1 %c, label %left, label %right

left:
  %l = mul i32 %start, 3
  br label %join

right:
  %r = sub i32 %start, 5
  br label %join

join:
  %p = phi i32 [ %l, %left ], [ %r, %right ]
  %q = phi float [ 1.0, %left ], [ 2.0, %right ]
  %sum = add i32 %p, %start
  ret i32 %sum
}

define i32 @loop(i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %done = icmp sge i32 %i, %n
  br i1 %done, label %exit, label %body

body:
  %next = add nsw i32 %i, 1
  br label %head

exit:
  ret i32 %i
}

define i32 @choose(i32 %v, ptr %target) {
entry:
  switch i32 %v, label %other [
    i32 1, label %one
    i32 2, label %two
    i32 3, label %two
  ]

one:
  ret i32 10

two:
  %m = phi i32 [ 5, %entry ], [ 5, %entry ]
  ret i32 %m

other:
  indirectbr ptr blockaddress(@choose, %one), [label %one, label %last]

last:
  unreachable
}

define void @straight(ptr %p) {
  %1 = load i32, ptr %p, align 4
  %2 = add i32 %1, 1
  store i32 %2, ptr %p, align 4
  br label %3

3:
  ret void
}
;; missing-terminator || \n  br i1 %c, label %left, label %right || 
;; missing-terminator || \n  ret i32 %sum || 
;; missing-terminator || \n  br label %head\n\nhead || \n\nhead
;; missing-terminator || \n  unreachable || 
;; middle-terminator || %l = mul i32 %start, 3 || ret i32 1\n  %l = mul i32 %start, 3
;; middle-terminator || %sum = add i32 %p, %start || unreachable\n  %sum = add i32 %p, %start
;; middle-terminator || store i32 %2, ptr %p, align 4\n || store i32 %2, ptr %p, align 4\n  ret void\n
;; phi-edges || [ %l, %left ], [ %r, %right ] || [ %l, %left ]
;; phi-edges || [ %l, %left ], [ %r, %right ] || [ %l, %left ], [ %r, %right ], [ 0, %entry ]
;; phi-edges || [ %l, %left ], [ %r, %right ] || [ %l, %left ], [ %r, %left ]
;; phi-edges || [ %l, %left ], [ %r, %right ] || [ %l, %left ], [ %r, %entry ]
;; phi-edges || [ %l, %left ], [ %r, %right ] || [ %l, %left ], [ %r, %nowhere ]
;; phi-edges || [ 5, %entry ], [ 5, %entry ] || [ 5, %entry ]
;; phi-edges || [ 5, %entry ], [ 5, %entry ] || [ 5, %entry ], [ 6, %entry ]
;; phi-edges || [ 0, %entry ], [ %next, %body ] || [ %next, %body ], [ 0, %entry ]
;; phi-edges || br label %join\n\nright || br label %right\n\nright
;; phi-types || %p = phi i32 || %p = phi i64
;; phi-types || [ 1.0, %left ], [ 2.0, %right ] || [ 1.0, %left ], [ %r, %right ]
;; phi-types || %q = phi float [ 1.0, %left ], [ 2.0, %right ] || %q = phi void [ undef, %left ], [ undef, %right ]
;; phi-types || %q = phi float [ 1.0, %left ], [ 2.0, %right ] || %q = phi label [ %left, %left ], [ %right, %right ]
;; phi-types || %q = phi float [ 1.0, %left ], [ 2.0, %right ] || %q = phi token [ none, %left ], [ none, %right ]
;; phi-types || %p = phi i32 || %p = phi nsw i32
;; phi-types || %q = phi float || %q = phi fast float
;; phi-first || %p = phi i32 [ %l, %left ], [ %r, %right ] || %early = add i32 %n, 2\n  %p = phi i32 [ %l, %left ], [ %r, %right ]
;; phi-first || %sum = add i32 %p, %start\n || %sum = add i32 %p, %start\n  %late = phi i32 [ 1, %left ], [ 2, %right ]\n
;; phi-entry || %start = add i32 %n, 1 || %start = phi i32 [ 1, %left ]
;; phi-entry || entry:\n  %start = add i32 %n, 1 || entry:\n  %start = phi i32
;; dominance || %l = mul i32 %start, 3 || %l = mul i32 %r, 3
;; dominance || %sum = add i32 %p, %start || %sum = add i32 %p, %l
;; dominance || ret i32 %i || ret i32 %next
;; dominance || [ %l, %left ], [ %r, %right ] || [ %r, %left ], [ %l, %right ]
;; dominance || %start = add i32 %n, 1 || %start = add i32 %start, 1
;; dominance || %next = add nsw i32 %i, 1 || %next = add nsw i32 %next, 1
;; dominance || [ 0, %entry ], [ %next, %body ] || [ %next, %entry ], [ %next, %body ]
;; dominance || %2 = add i32 %1, 1 || %2 = add i32 %1, %sum
;; dominance || %done = icmp sge i32 %i, %n || %done = icmp sge i32 %next, %n
;; dominance || [ 0, %entry ], [ %next, %body ] || [ 0, %entry ], [ %i, %body ]
;; entry-block || br label %head\n\nexit || br label %entry\n\nexit
;; entry-block || label %left, label %right || label %entry, label %right
;; entry-block || i32 3, label %two || i32 3, label %entry
;; entry-block || [label %one, label %last] || [label %one, label %entry]
;; entry-block || blockaddress(@choose, %one) || blockaddress(@choose, %entry)
;; blockaddress || blockaddress(@choose, %one) || blockaddress(@choose, %nowhere)
;; blockaddress || blockaddress(@choose, %one) || blockaddress(@nothing, %one)
;; blockaddress || blockaddress(@choose, %one) || blockaddress(@loop, %body)
;; branch-types || br i1 %c, || br i32 %n,
;; branch-types || br i1 %c, label %left, label %right || br i1 %c, label %left
;; branch-types || br label %join\n\nright || br i32 %n\n\nright
;; branch-types || br i1 %done, label %exit, label %body || br i1 %done, label %exit, label %i
;; branch-types || label %exit, label %body || label %exit, label %missing
;; branch-types || label %exit, label %body || label %exit, label %exit
;; switch-cases || i32 2, label %two || i32 1, label %two
;; switch-cases || i32 2, label %two || i64 2, label %two
;; switch-cases || switch i32 %v || switch float 1.0
;; switch-cases || switch i32 %v || switch ptr %target
;; switch-cases || i32 2, label %two || i32 %v, label %two
;; switch-cases || i32 2, label %two || i32 4294967298, label %two
;; switch-cases || i32 1, label %one || i32 undef, label %one
;; switch-cases || i32 3, label %two\n || i32 3, label %two\n    i32 9, label %last\n
;; indirect || indirectbr ptr blockaddress(@choose, %one) || indirectbr i32 %v
;; indirect || [label %one, label %last] || [label %one, label %two]
;; indirect || [label %one, label %last] || []
;; indirect || [label %one, label %last] || [label %one, label %one]
;; unreachable-code || unreachable\n || %dead = add i32 %dead2, 1\n  %dead2 = add i32 %dead, 1\n  unreachable\n
;; unreachable-code || ret i32 10\n || ret i32 10\n\norphan:\n  %z = add i32 %z, 1\n  br label %orphan\n
;; unreachable-code || ret i32 10\n || ret i32 10\n\norphan:\n  %z = add i32 %m, 1\n  ret i32 %z\n
;; unreachable-code || ret i32 10\n || ret i32 10\n\norphan:\n  br label %entry\n
;; numbering || %2 = add i32 %1, 1 || %3 = add i32 %1, 1
;; numbering || %2 = add i32 %1, 1 || %1 = add i32 %p2, 1
;; numbering || 3:\n || 5:\n
;; numbering || store i32 %2, ptr %p || store i32 %7, ptr %p
;; numbering || %1 = load i32 || %0 = load i32
;; numbering || 3:\n || 2:\n
;; names || %r = sub i32 %start, 5 || %l = sub i32 %start, 5
;; names || right:\n || left:\n
;; names || %r = sub i32 %start, 5 || %left = sub i32 %start, 5
;; names || @loop(i32 %n) || @diamond(i32 %n)
;; names || define i32 @diamond(i32 %n, i1 %c) || define i32 @diamond(i32 %n, i1 %n)
;; names || %sum = add i32 %p, %start || %sum = add i32 %p, %undefined
;; names || %sum = add i32 %p, %start || %sum = add i32 %p, @undefined
;; names || ret i32 %sum || ret i32 %left
;; names || %sum = add i32 %p, %start || add i32 %p, %start
;; names || store i32 %2, ptr %p, align 4 || %4 = store i32 %2, ptr %p, align 4
;; names || ret i32 10 || ret i32 undefined
