// Calls every function of the table with every row of its input, each function in a process of its own. What is
// left goes to the file of results: a byte for each row (1: it ended), then the bytes of each row.
//   driver PLAN INPUT RESULTS      PLAN: count rows, then for each function the bytes of a row: in, out
#define _GNU_SOURCE
#include "objects.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*function)(unsigned char *, unsigned char *);
extern function table[];

// What libgcc of some systems lacks.
__bf16 __truncsfbf2(float value) {
  unsigned bits;
  memcpy(&bits, &value, 4);
  unsigned short high = bits >> 16;
  if (value != value)
    high |= 0x40;
  else
    high = (bits + 0x7fff + (high & 1)) >> 16;
  __bf16 result;
  memcpy(&result, &high, 2);
  return result;
}

static sigjmp_buf back;
static void caught(int number) { siglongjmp(back, number); }

static void *must(void *at) {
  if (at == MAP_FAILED)
    exit(2);
  return at;
}

// Writes a part of the results; a function that runs wild must not reach them in memory.
static void keep(int file, const void *bytes, size_t size, size_t at) {
  if (pwrite(file, bytes, size, at) != (ssize_t)size)
    _exit(2);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  FILE *plan = fopen(argv[1], "r");
  unsigned count, rows;
  if (!plan || fscanf(plan, "%u %u", &count, &rows) != 2)
    return 2;
  size_t *in = malloc(count * sizeof *in), *out = malloc(count * sizeof *out), in_all = 0, out_all = 0;
  for (unsigned i = 0; i < count; i++) {
    if (fscanf(plan, "%zu %zu", &in[i], &out[i]) != 2)
      return 2;
    in_all += (in[i] + out[i]) * rows;
    out_all += (1 + out[i]) * rows;
  }
  FILE *from = fopen(argv[2], "rb"), *to = fopen(argv[3], "w+b");
  if (!from || !to || ftruncate(fileno(to), out_all))
    return 2;
  unsigned char *input = must(mmap(0, in_all, PROT_READ, MAP_PRIVATE, fileno(from), 0));
  size_t results = 0, guard = 1 << 26, room = 1 << 17;
  unsigned char *none = calloc(rows, 1), one = 1;
  for (unsigned i = 0; i < count; i++) {
    pid_t child = fork();
    if (child == 0) {
      // Room around what a function gets, and a stack of its own for the handler.
      static unsigned char stack[1 << 16];
      stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
      sigaltstack(&other, 0);
      struct sigaction action = {.sa_handler = caught, .sa_flags = SA_NODEFER | SA_ONSTACK};
      int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGVTALRM, SIGABRT};
      for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++)
        sigaction(numbers[n], &action, 0);
      unsigned char *place = must(mmap(0, 2 * guard + room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
      place += guard;
      if (mprotect(place, room, PROT_READ | PROT_WRITE))
        _exit(2);
      unsigned char *ins = place + 8192, *outs = place + 65536;
      unsigned char *first_in = input, *first_out = input + in[i] * rows;
      for (unsigned row = 0; row < rows; row++) {
        memset(place, 0, room);
        memcpy(ins, first_in + row * in[i], in[i]);
        memcpy(outs, first_out + row * out[i], out[i]);
        watch_row(outs, out[i]);
        struct itimerval soon = {.it_value = {.tv_usec = 10000}}, never = {0};
        if (sigsetjmp(back, 1) == 0) {
          setitimer(ITIMER_VIRTUAL, &soon, 0);
          table[i](ins, outs);
          setitimer(ITIMER_VIRTUAL, &never, 0);
          keep(fileno(to), outs, out[i], results + rows + row * out[i]);
          keep(fileno(to), &one, 1, results + row);
        } else
          setitimer(ITIMER_VIRTUAL, &never, 0);
      }
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status))
      keep(fileno(to), none, rows, results);
    input += (in[i] + out[i]) * rows;
    results += (1 + out[i]) * rows;
  }
  return 0;
}
