// What a function may touch: the memory of its row, and its stack variables. Code that checks itself (bounds.rs) calls
// these before it touches memory; what is not allowed ends the row as a trap does.
#include "objects.h"
#include <string.h>

struct object {
  unsigned char *start;
  size_t size;
  // What is promised of the start; nothing for the memory of a row, which lies the same everywhere.
  size_t align;
  // For each byte whether something was stored there; none if all of it is known.
  unsigned char *known;
  int dead;
};

// A row may be stopped at any place, so there is no heap here.
enum { MOST = 4096, ROOM = 1 << 20 };
static struct object objects[MOST];
static unsigned count;
static unsigned char all_known[ROOM];
static size_t used;

static _Noreturn void wrong(void) { __builtin_trap(); }

static void add(unsigned char *start, size_t size, size_t align, unsigned char *known) {
  if (count == MOST)
    wrong();
  objects[count++] = (struct object){.start = start, .size = size, .align = align, .known = known};
}

// The object with an address, or the one that ends there.
static struct object *find(const unsigned char *at) {
  for (size_t end = 0; end < 2; end++)
    for (unsigned i = count; i-- > 0;)
      if (at >= objects[i].start && (size_t)(at - objects[i].start) < objects[i].size + end)
        return &objects[i];
  wrong();
}

static struct object *touched(const unsigned char *at, size_t size, size_t align) {
  if ((size_t)at % align)
    wrong();
  struct object *object = find(at);
  // Where a variable lies is chance.
  if (object->align && align > object->align)
    wrong();
  if (object->dead || size > object->size - (size_t)(at - object->start))
    wrong();
  return object;
}

void watch_row(unsigned char *at, size_t size) {
  count = 0;
  used = 0;
  add(at, size, 0, 0);
}

void watch_variable(unsigned char *at, size_t size, size_t align) {
  if (size > ROOM - used)
    wrong();
  unsigned char *known = all_known + used;
  used += size;
  memset(known, 0, size);
  add(at, size, align, known);
}

void watch_read(const unsigned char *at, size_t size, size_t align) {
  if (!size)
    return;
  struct object *object = touched(at, size, align);
  if (object->known && memchr(object->known + (at - object->start), 0, size))
    wrong();
}

void watch_write(unsigned char *at, size_t size, size_t align) {
  if (!size)
    return;
  struct object *object = touched(at, size, align);
  if (object->known)
    memset(object->known + (at - object->start), 1, size);
}

// A copy takes what is not known along. What is copied apart must not overlap, unless it is the same.
void watch_copy(unsigned char *to, size_t to_align, const unsigned char *from, size_t from_align, size_t size, int apart) {
  if (!size)
    return;
  if (apart && to != from && to < from + size && from < to + size)
    wrong();
  struct object *source = touched(from, size, from_align), *target = touched(to, size, to_align);
  const unsigned char *known = source->known ? source->known + (from - source->start) : 0;
  if (target->known && known)
    memmove(target->known + (to - target->start), known, size);
  else if (target->known)
    memset(target->known + (to - target->start), 1, size);
  else if (known && memchr(known, 0, size))
    wrong();
}

// An address made from another, both in one object.
void watch_step(const unsigned char *from, const unsigned char *to) {
  if (from == to)
    return;
  struct object *object = find(from);
  if (to < object->start || (size_t)(to - object->start) > object->size)
    wrong();
}

void watch_life(unsigned char *at, int lives) {
  struct object *object = find(at);
  object->dead = !lives;
  if (object->known)
    memset(object->known, 0, object->size);
}
