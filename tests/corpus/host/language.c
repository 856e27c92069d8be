// C of many kinds: variable arguments, bit fields, computed jumps, odd types, attributes.
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    for (int i = 0; i < count; ++i)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

struct Fields {
    unsigned a : 3, b : 11;
    signed c : 7;
    uint64_t d : 40;
};
struct __attribute__((packed)) Packed { char a; int b; double c; };
union Either { float f; uint32_t u; char bytes[12]; };
struct Nested { struct Packed p[2]; union Either e; struct Nested *next; int tail[]; };

int fields(struct Fields *f, struct Packed p, union Either e) {
    f->b = f->a + 1;
    f->d ^= e.u;
    return f->c + p.b + (int)p.c;
}

int run(const unsigned char *code) {
    static const void *const table[] = {&&add, &&sub, &&halt};
    int value = 0;
    goto *table[*code];
add:
    value += *++code;
    goto *table[*++code];
sub:
    value -= *++code;
    goto *table[*++code];
halt:
    return value;
}

static jmp_buf place;
int jumps(int n) {
    volatile int k = n;
    if (setjmp(place))
        return k;
    k += 1;
    longjmp(place, k);
}

long double extended(long double a, double complex z) { return a * creal(z) + 1.5L; }
__int128 wide(__int128 a, unsigned __int128 b) { return a * (__int128)b >> 7; }
#if __clang_major__ >= 15
_Float16 half(_Float16 a, __fp16 *b) { return a + *b; }
#endif

typedef float four __attribute__((vector_size(16)));
four shuffle(four a, four b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7) * (four){1, 2, 3, 4}; }

__thread int per_thread = 3;
static _Thread_local long quick __attribute__((tls_model("local-exec")));
long next_of_thread(void) { return ++quick + per_thread++; }

__attribute__((weak, visibility("hidden"))) int optional(void) { return 1; }
int other_name(void) __attribute__((alias("optional"), weak));
__attribute__((section(".special"), used)) static int special = 7;
__attribute__((constructor(200))) static void begin(void) { special += 1; }
__attribute__((noinline, cold, pure)) int slow(int a) { return a / (special | 1); }

static int chosen_a(int x) { return x + 1; }
static int (*resolve(void))(int) { return chosen_a; }
int chosen(int x) __attribute__((ifunc("resolve")));

_Atomic int shared_counter;
int atomics(int *p, _Atomic(uint64_t) *q) {
    int old = __atomic_fetch_add(p, 3, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    int want = 5;
    __atomic_compare_exchange_n(p, &want, 6, 1, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    return old + shared_counter++ + (int)__c11_atomic_exchange(q, 9, __ATOMIC_SEQ_CST);
}

int assembly(int a) {
    int out;
    __asm__ volatile("addl %2, %0" : "=r"(out) : "0"(a), "r"(4) : "cc", "memory");
    __asm__ goto("testl %0, %0; jne %l1" : : "r"(a) : : zero);
    return out;
zero:
    return 0;
}

int choose(int v) {
    switch (v) {
    case -1: return 4;
    case 0 ... 9: return v * 2;
    case 1000: case 2000: return 7;
    default: return __builtin_expect(v > 5, 1) ? __builtin_popcount(v) : __builtin_clz(v | 1);
    }
}

char text[] = "tab\t quote\" back\\ high\xff zero\0end";
const wchar_t wide_text[] = L"wide \x263a";
int matrix[3][4] = {{1, 2}, {[2] = 9}};
int (*const handlers[])(int) = {slow, choose, 0};
char *middle = &text[5];
size_t checked(int a, int b) {
    int r;
    if (__builtin_mul_overflow(a, b, &r) || __builtin_add_overflow(r, a, &r))
        __builtin_trap();
    return (size_t)r;
}
void variable_length(int n, int a[n]) {
    int copy[n];
    for (int i = 0; i < n; ++i)
        copy[i] = a[n - 1 - i];
    __builtin_memcpy(a, copy, sizeof copy);
}
