; Arrays of C++ objects: the routines of the Itanium C++ ABI. A null constructor or destructor is not called. There
; are not exceptions on the GPU, so what has been constructed is never taken back.
;
; An array with a cookie has its number of elements in the last eight bytes before the first one.

define void @__cxa_vec_ctor(ptr %array, i64 %count, i64 %size, ptr %construct, ptr %destroy) {
entry:
  %none = icmp eq ptr %construct, null
  %empty = icmp eq i64 %count, 0
  %nothing = or i1 %none, %empty
  br i1 %nothing, label %done, label %loop

loop:
  %index = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %index, %size
  %element = getelementptr i8, ptr %array, i64 %offset
  call void %construct(ptr %element)
  %next = add i64 %index, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @__cxa_vec_cctor(ptr %to, ptr %from, i64 %count, i64 %size, ptr %construct, ptr %destroy) {
entry:
  %none = icmp eq ptr %construct, null
  %empty = icmp eq i64 %count, 0
  %nothing = or i1 %none, %empty
  br i1 %nothing, label %done, label %loop

loop:
  %index = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %index, %size
  %element = getelementptr i8, ptr %to, i64 %offset
  %original = getelementptr i8, ptr %from, i64 %offset
  call void %construct(ptr %element, ptr %original)
  %next = add i64 %index, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done

done:
  ret void
}

; Destroyed in the opposite order.
define void @__cxa_vec_dtor(ptr %array, i64 %count, i64 %size, ptr %destroy) {
entry:
  %none = icmp eq ptr %destroy, null
  %empty = icmp eq i64 %count, 0
  %nothing = or i1 %none, %empty
  br i1 %nothing, label %done, label %loop

loop:
  %left = phi i64 [ %count, %entry ], [ %index, %loop ]
  %index = sub i64 %left, 1
  %offset = mul i64 %index, %size
  %element = getelementptr i8, ptr %array, i64 %offset
  call void %destroy(ptr %element)
  %more = icmp ne i64 %index, 0
  br i1 %more, label %loop, label %done

done:
  ret void
}

define ptr @__cxa_vec_new(i64 %count, i64 %size, i64 %cookie, ptr %construct, ptr %destroy) {
  %array = call ptr @__cxa_vec_new2(i64 %count, i64 %size, i64 %cookie, ptr %construct, ptr %destroy, ptr @__warpc_allocate, ptr @__warpc_free)
  ret ptr %array
}

define ptr @__cxa_vec_new2(i64 %count, i64 %size, i64 %cookie, ptr %construct, ptr %destroy, ptr %allocate, ptr %deallocate) {
entry:
  %elements = mul i64 %count, %size
  %bytes = add i64 %elements, %cookie
  %block = call ptr %allocate(i64 %bytes)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %there

there:
  %array = getelementptr i8, ptr %block, i64 %cookie
  %counted = icmp ne i64 %cookie, 0
  br i1 %counted, label %count_it, label %construct_it

count_it:
  %place = getelementptr i8, ptr %array, i64 -8
  store i64 %count, ptr %place
  br label %construct_it

construct_it:
  call void @__cxa_vec_ctor(ptr %array, i64 %count, i64 %size, ptr %construct, ptr %destroy)
  ret ptr %array

none:
  ret ptr null
}

define ptr @__cxa_vec_new3(i64 %count, i64 %size, i64 %cookie, ptr %construct, ptr %destroy, ptr %allocate, ptr %deallocate) {
  %array = call ptr @__cxa_vec_new2(i64 %count, i64 %size, i64 %cookie, ptr %construct, ptr %destroy, ptr %allocate, ptr null)
  ret ptr %array
}

define void @__cxa_vec_delete(ptr %array, i64 %size, i64 %cookie, ptr %destroy) {
  call void @__cxa_vec_delete2(ptr %array, i64 %size, i64 %cookie, ptr %destroy, ptr @__warpc_free)
  ret void
}

define void @__cxa_vec_delete2(ptr %array, i64 %size, i64 %cookie, ptr %destroy, ptr %deallocate) {
entry:
  %none = icmp eq ptr %array, null
  br i1 %none, label %done, label %there

there:
  %counted = icmp ne i64 %cookie, 0
  br i1 %counted, label %destroy_it, label %free_it

destroy_it:
  %place = getelementptr i8, ptr %array, i64 -8
  %count = load i64, ptr %place
  call void @__cxa_vec_dtor(ptr %array, i64 %count, i64 %size, ptr %destroy)
  br label %free_it

free_it:
  %back = sub i64 0, %cookie
  %block = getelementptr i8, ptr %array, i64 %back
  call void %deallocate(ptr %block)
  br label %done

done:
  ret void
}

; Its deallocation function takes the size too.
define void @__cxa_vec_delete3(ptr %array, i64 %size, i64 %cookie, ptr %destroy, ptr %deallocate) {
entry:
  %none = icmp eq ptr %array, null
  br i1 %none, label %done, label %there

there:
  %counted = icmp ne i64 %cookie, 0
  br i1 %counted, label %destroy_it, label %free_it

destroy_it:
  %place = getelementptr i8, ptr %array, i64 -8
  %count = load i64, ptr %place
  call void @__cxa_vec_dtor(ptr %array, i64 %count, i64 %size, ptr %destroy)
  br label %free_it

free_it:
  %known = phi i64 [ 0, %there ], [ %count, %destroy_it ]
  %elements = mul i64 %known, %size
  %bytes = add i64 %elements, %cookie
  %back = sub i64 0, %cookie
  %block = getelementptr i8, ptr %array, i64 %back
  call void %deallocate(ptr %block, i64 %bytes)
  br label %done

done:
  ret void
}

; The address of `malloc` itself cannot be taken: the driver brings it.
define internal ptr @__warpc_allocate(i64 %bytes) {
  %block = call ptr @malloc(i64 %bytes)
  ret ptr %block
}

define internal void @__warpc_free(ptr %block) {
  call void @free(ptr %block)
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
