// CUDA C++ on the processor: the parts of CUDA that a kernel's source needs from a plain compiler.
//
// The threads of a block run one after another; in kernels with barriers each thread is a fiber,
// which a barrier suspends. Pointers know their allocation and check every access.

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <type_traits>
#include <utility>

#define EDB_SHIM
#define __global__
#define __device__
#define __launch_bounds__(...)
#define __shared__ static thread_local

// What CUDA has beyond the C library.
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return (float)normcdf((double)x); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline double __dadd_rn(double a, double b) { return a + b; }

// A launch, laid out as `Launch` in mod.rs.
struct Launch {
  uint32_t grid[2], block[2];
  const uint64_t* words;
  // The kind of each word: 0 for a pointer, then u32, u64, float, double.
  const uint8_t* kinds;
  uint64_t count;
  // Pairs of the beginning and the end of each allocation, in ascending order.
  const uint64_t* allocations;
  uint64_t allocation_count;
  char* message;
  uint64_t message_size;
};

struct Dimensions {
  uint32_t x, y, z;
};

// The state of the emulated thread that runs on this thread of the processor.
struct Machine {
  Dimensions thread, block, threads, blocks;
  const Launch* launch;
  jmp_buf failed;
  bool fibers;
};
static thread_local Machine machine;
#define threadIdx machine.thread
#define blockIdx machine.block
#define blockDim machine.threads
#define gridDim machine.blocks

template <class... A>
[[noreturn]] void fail(const char* format, A... a) {
  snprintf(machine.launch->message, machine.launch->message_size, format, a...);
  _longjmp(machine.failed, 1);
}

// --- memory ---

template <class T>
struct Checked {
  T* address;
  uint64_t low, high;

  T* check(uint64_t offset) const {
    T* place = address + offset;
    const uint64_t first = (uint64_t)place, size = sizeof(T);
    if (first < low || first + size > high) {
      fail("an access of %lu bytes, %ld bytes behind the start of an allocation of %lu",
           (unsigned long)size, (long)(first - low), (unsigned long)(high - low));
    }
    if (first % alignof(T) != 0) fail("an access of %lu bytes that is not aligned", (unsigned long)size);
    return place;
  }
  T& operator[](uint64_t offset) const { return *check(offset); }
  T& operator*() const { return *check(0); }
  Checked operator+(uint64_t offset) const { return {address + offset, low, high}; }
  operator Checked<const T>() const { return {address, low, high}; }
};
#define IN(T) Checked<const T>
#define OUT(T) Checked<T>
#define AT(T) Checked<const T>

template <class T, class U>
Checked<T> same_place(Checked<U> pointer) {
  return {(T*)pointer.address, pointer.low, pointer.high};
}
#define AS(T, pointer) same_place<T>(pointer)

// --- numbers of 16 bits ---

// The number with these bits, for a format with so many bits of exponent and of significand, and
// this bias.
template <int EXPONENT, int SIGNIFICAND, int BIAS>
float widened(uint16_t bits) {
  const int exponent = bits >> SIGNIFICAND & ((1 << EXPONENT) - 1);
  const int rest = bits & ((1 << SIGNIFICAND) - 1);
  float size;
  if (exponent == (1 << EXPONENT) - 1) {
    size = rest == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    size = ldexpf(rest, 1 - BIAS - SIGNIFICAND);
  } else {
    size = ldexpf(rest + (1 << SIGNIFICAND), exponent - BIAS - SIGNIFICAND);
  }
  return bits >> 15 ? -size : size;
}
// The bits of the number nearest to x; of two equally near ones, those of the even one.
template <int EXPONENT, int SIGNIFICAND, int BIAS>
uint16_t narrowed(float x) {
  const uint16_t sign = signbit(x) ? 1 << 15 : 0, most = ((1 << EXPONENT) - 1) << SIGNIFICAND;
  if (isnan(x)) return sign | most | 1 << (SIGNIFICAND - 1);
  if (isinf(x)) return sign | most;
  if (x == 0) return sign;
  int exponent;
  frexpf(x, &exponent);
  // The exponent gives the distance between numbers near x. Subnormal numbers are as far apart as
  // the smallest normal ones.
  exponent = exponent - 1 < 1 - BIAS ? 1 - BIAS : exponent - 1;
  // Counts distances in double precision, which loses nothing; `rint` rounds ties to even.
  const double steps = rint(ldexp(fabs((double)x), SIGNIFICAND - exponent));
  // The steps of a normal number include its leading bit, which adds the 1 missing here.
  const uint64_t bits = (uint64_t)steps + ((uint64_t)(exponent + BIAS - 1) << SIGNIFICAND);
  return sign | (bits < most ? bits : most);
}
inline float of_f16(uint16_t bits) { return widened<5, 10, 15>(bits); }
inline float of_bf16(uint16_t bits) { return widened<8, 7, 127>(bits); }
inline uint16_t to_f16(float x) { return narrowed<5, 10, 15>(x); }
inline uint16_t to_bf16(float x) { return narrowed<8, 7, 127>(x); }

// --- barriers ---

// A fiber is made once, which takes system calls, and then runs thread after thread.
struct Fiber {
  ucontext_t start;
  // Where it goes on: behind a barrier, or, while it is idle, with the next thread.
  jmp_buf left;
  bool idle, ended;
};
static const uint32_t MOST_THREADS = 1024;
static const uint64_t STACK = 64 << 10;
struct Block {
  Fiber fibers[MOST_THREADS];
  char* stacks;
  jmp_buf scheduler;
  uint32_t running;
  void (*run)(void*);
  void* arguments;
};
static thread_local Block* block;

static void fiber_main() {
  Fiber& fiber = block->fibers[block->running];
  for (;;) {
    block->run(block->arguments);
    fiber.ended = fiber.idle = true;
    if (_setjmp(fiber.left) == 0) _longjmp(block->scheduler, 1);
  }
}

inline void __syncthreads() {
  if (!machine.fibers) fail("a barrier in a kernel of many rows a block");
  if (_setjmp(block->fibers[block->running].left) == 0) _longjmp(block->scheduler, 1);
}

template <class T>
T __shfl_xor_sync(uint32_t, T x, uint32_t lanes) {
  static thread_local T slots[MOST_THREADS];
  const uint32_t thread = threadIdx.x;
  slots[thread] = x;
  __syncthreads();
  const T other = slots[thread ^ lanes];
  __syncthreads();
  return other;
}

static void enter_thread(uint32_t thread) {
  machine.thread = {thread % blockDim.x, thread / blockDim.x, 0};
}

static void resume(uint32_t thread, bool begins) {
  Fiber& fiber = block->fibers[thread];
  block->running = thread;
  enter_thread(thread);
  if (_setjmp(block->scheduler) != 0) return;
  if (!begins || fiber.idle) {
    fiber.idle = false;
    _longjmp(fiber.left, 1);
  }
  // It has never run, or the kernel that it ran has failed.
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = block->stacks + thread * STACK;
  fiber.start.uc_stack.ss_size = STACK;
  fiber.start.uc_link = nullptr;
  makecontext(&fiber.start, fiber_main, 0);
  setcontext(&fiber.start);
}

static void run_fibers(uint32_t threads) {
  for (uint32_t thread = 0; thread < threads; ++thread) block->fibers[thread].ended = false;
  for (bool begins = true;; begins = false) {
    uint32_t ended = 0;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      if (!block->fibers[thread].ended) resume(thread, begins);
      ended += block->fibers[thread].ended;
    }
    if (ended == threads) return;
    if (ended > 0) fail("%u of %u threads have ended, the others wait at a barrier", ended, threads);
  }
}

// --- launches ---

template <class T>
struct Argument {
  static T get(uint64_t word, uint8_t kind) {
    const bool fits = std::is_same<T, uint32_t>::value             ? kind == 1
                      : std::is_same<T, unsigned long long>::value ? kind == 2
                      : std::is_same<T, float>::value              ? kind == 3
                                                                   : kind == 4;
    if (!fits) fail("an argument of kind %d where a kernel has another", (int)kind);
    T value;
    memcpy(&value, &word, sizeof(T));
    return value;
  }
};
template <class T>
struct Argument<Checked<T>> {
  static Checked<T> get(uint64_t word, uint8_t kind) {
    if (kind != 0) fail("an argument of kind %d where a kernel has a pointer", (int)kind);
    const Launch& launch = *machine.launch;
    // Searches for the last allocation that begins at or before the address; they are sorted.
    uint64_t first = 0, last = launch.allocation_count;
    while (last - first > 1) {
      const uint64_t middle = first + (last - first) / 2;
      (launch.allocations[2 * middle] <= word ? first : last) = middle;
    }
    if (first == last) return {(T*)word, 0, 0};
    const uint64_t low = launch.allocations[2 * first], high = launch.allocations[2 * first + 1];
    // A pointer may point past the end of its allocation, as long as nothing is accessed there.
    return low <= word && word < high ? Checked<T>{(T*)word, low, high} : Checked<T>{(T*)word, 0, 0};
  }
};

// Makes a checked pointer of an address that a kernel reads from memory.
template <class T>
Checked<T> pointer_at(uint64_t word) {
  return Argument<Checked<T>>::get(word, 0);
}
#define POINTER(T, word) pointer_at<T>(word)

// Pointers and floats that a kernel reads from memory; prelude.cuh handles the other types.
template <class T>
struct FromWord {
  static T value(uint64_t word) {
    T value;
    memcpy(&value, &word, sizeof(T));
    return value;
  }
};
template <class T>
struct FromWord<Checked<T>> {
  static Checked<T> value(uint64_t word) { return pointer_at<T>(word); }
};

// An argument of a call: a number, or a pointer with its allocation.
struct Slot {
  alignas(8) char bytes[sizeof(Checked<char>)];
};

template <class T>
void unpack(Slot* slot, uint64_t word, uint8_t kind) {
  *(T*)slot->bytes = Argument<T>::get(word, kind);
}

// A kernel with any parameters, and functions that know their types. Only these functions are
// compiled for each kernel; the rest is compiled once.
struct Callee {
  void (*kernel)();
  void (*call)(void (*kernel)(), Slot* slots);
  void (*const* unpack)(Slot*, uint64_t word, uint8_t kind);
  uint64_t count;
};
const uint64_t MOST_ARGUMENTS = 1024;
static thread_local Slot arguments[MOST_ARGUMENTS];

static void run_thread(void* callee) {
  ((Callee*)callee)->call(((Callee*)callee)->kernel, arguments);
}

static int run(const Callee& callee, const Launch* launch) {
  machine.launch = launch;
  if (_setjmp(machine.failed) != 0) return 1;
  if (launch->count != callee.count || callee.count > MOST_ARGUMENTS) {
    fail("%lu arguments for a kernel of %lu", (unsigned long)launch->count,
         (unsigned long)callee.count);
  }
  const uint32_t threads = launch->block[0] * launch->block[1];
  if (threads > MOST_THREADS || threads == 0) fail("a block of %u threads", threads);
  if (launch->grid[1] > 65535) fail("%u blocks of columns", launch->grid[1]);
  for (uint64_t i = 0; i < callee.count; ++i) {
    callee.unpack[i](&arguments[i], launch->words[i], launch->kinds[i]);
  }
  machine.threads = {launch->block[0], launch->block[1], 1};
  machine.blocks = {launch->grid[0], launch->grid[1], 1};
  // Kernels with several rows of threads in a block have no barriers, and need no fibers.
  machine.fibers = launch->block[1] == 1;
  for (uint32_t y = 0; y < launch->grid[1]; ++y) {
    for (uint32_t x = 0; x < launch->grid[0]; ++x) {
      machine.block = {x, y, 0};
      if (machine.fibers) {
        // Kept for the life of this thread of the processor.
        if (block == nullptr) {
          block = (Block*)calloc(1, sizeof(Block));
          block->stacks = (char*)malloc(MOST_THREADS * STACK);
        }
        block->run = run_thread;
        block->arguments = (void*)&callee;
        run_fibers(threads);
        continue;
      }
      for (uint32_t thread = 0; thread < threads; ++thread) {
        enter_thread(thread);
        run_thread((void*)&callee);
      }
    }
  }
  return 0;
}

template <class... A, size_t... I>
void call_with(void (*kernel)(A...), Slot* slots, std::index_sequence<I...>) {
  kernel(*(A*)slots[I].bytes...);
}
template <class... A>
void call(void (*kernel)(), Slot* slots) {
  call_with((void (*)(A...))kernel, slots, std::index_sequence_for<A...>());
}

// Runs a kernel; returns 0 if it made no error.
template <class... A>
int emulate(void (*kernel)(A...), const Launch* launch) {
  // Not static: all objects in the process would share the table of one of them, and its machine.
  void (*const unpack_each[])(Slot*, uint64_t, uint8_t) = {unpack<A>..., nullptr};
  return run({(void (*)())kernel, call<A...>, unpack_each, sizeof...(A)}, launch);
}
