// What every kernel of edb is written with. `REAL` is float or double, which is what is computed in;
// `STORED` is the same, or f16 or bf16: what the values of vertices are kept in.
//
// The same text is compiled by NVRTC and, for tests, by a host compiler behind
// tests/suite/emulator/shim.h, which defines EDB_SHIM and its own pointers, threads and barriers.

typedef REAL real;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// What is read, and what is written; the latter may be read where it is overwritten.
#ifndef EDB_SHIM
#ifndef RECORDED
#define IN(T) const T* __restrict__
#else
// The kernel before may still be writing when a recorded one begins: what it reads has to be read behind
// AWAIT, and not by way of caches that take it to be constant.
#define IN(T) const T*
#endif
#define OUT(T) T*
#define AT(T) const T*
// The same place, with what is of another type there.
#define AS(T, pointer) reinterpret_cast<T*>(pointer)
#endif

// NVRTC has no math.h.
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#endif

// --- kernels ---

// A kernel has its arguments from whoever launches it. Where it is compiled for launches that are
// recorded once and run often, it is told where its arguments are instead. There a word says whether
// anything is to be done, and one word follows for each of them.
//
// With one block for each multiprocessor in mind the compiler has all registers to give; otherwise it spills
// a few to have one more block.
#ifndef RECORDED
#define DEFINE(threads, name) extern "C" __global__ void __launch_bounds__(threads, 1) name
#define ENTRY(threads, name)
#else
#define DEFINE(threads, name) __device__ inline void name##_body
#define ENTRY(threads, name)                                                            \
  extern "C" __global__ void __launch_bounds__(threads, 1) name(IN(u64) words) {        \
    Recorded<&name##_body, decltype(&name##_body)>::read(words);                        \
  }

// From compute capability 9.0 on, a recorded kernel may begin while the one before still runs. It waits
// for it here: until this nothing may be read but its arguments. Every thread has to wait, even one with
// nothing to do, since whoever waits for a kernel relies on what that has waited for. Then the kernel
// behind may begin likewise.
#if __CUDA_ARCH__ >= 900
#define AWAIT                                               \
  asm volatile("griddepcontrol.wait;" ::: "memory");        \
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#else
#define AWAIT
#endif

template <class T>
struct FromWord;
template <>
struct FromWord<u32> {
  static __device__ u32 value(u64 word) { return (u32)word; }
};
template <>
struct FromWord<u64> {
  static __device__ u64 value(u64 word) { return word; }
};
#ifndef EDB_SHIM
template <>
struct FromWord<float> {
  static __device__ float value(u64 word) { return __uint_as_float((u32)word); }
};
template <>
struct FromWord<double> {
  static __device__ double value(u64 word) { return __longlong_as_double((long long)word); }
};
template <class T>
struct FromWord<T*> {
  // Into global memory, which the compiler would not know.
  static __device__ T* value(u64 word) { return (T*)__cvta_global_to_generic(word); }
};
#endif

template <u32... I>
struct Numbers {};
template <u32 COUNT, u32... I>
struct Below : Below<COUNT - 1, COUNT - 1, I...> {};
template <u32... I>
struct Below<0, I...> {
  typedef Numbers<I...> All;
};

template <auto BODY, class Type>
struct Recorded;
template <auto BODY, class... A>
struct Recorded<BODY, void (*)(A...)> {
  static __device__ inline void run(bool due, A... arguments) {
    AWAIT;
    if (due) BODY(arguments...);
  }
  template <u32... I>
  static __device__ inline void read(AT(u64) words, Numbers<I...>) {
    run(words[0] != 0, FromWord<A>::value(words[I + 1])...);
  }
  static __device__ inline void read(AT(u64) words) {
    read(words, typename Below<sizeof...(A)>::All());
  }
};
#endif

// --- numbers of 16 bits: read as float, rounded to the nearest (of two, to the even one) when kept ---

#ifndef EDB_SHIM
__device__ inline float of_f16(u16 bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
__device__ inline u16 to_f16(float x) {
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ inline float of_bf16(u16 bits) { return __uint_as_float((u32)bits << 16); }
__device__ inline u16 to_bf16(float x) {
  u16 bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#endif
#define KEPT(name)                                                \
  struct name {                                                   \
    u16 bits;                                                     \
    __device__ operator float() const { return of_##name(bits); } \
    __device__ name& operator=(float x) {                         \
      bits = to_##name(x);                                        \
      return *this;                                               \
    }                                                             \
  };
KEPT(f16)
KEPT(bf16)
typedef STORED stored;

// --- places ---

// Numbers that are read or written together: in one access of up to sixteen bytes, or in two.
template <class T, u32 LANES>
struct alignas(LANES * sizeof(T) < 16 ? LANES * sizeof(T) : 16) Pack {
  T x[LANES];
};
template <u32 LANES, class T>
__device__ inline Pack<T, LANES> load(AT(T) from) {
  typedef const Pack<T, LANES> P;
  return *AS(P, from);
}
template <u32 LANES, class T>
__device__ inline void store(OUT(T) to, const Pack<T, LANES>& pack) {
  typedef Pack<T, LANES> P;
  *AS(P, to) = pack;
}

// The rows that a thread has of `count`, and its columns of `width`.
#define EACH_ROW(count)                                                      \
  for (u64 row = (u64)blockIdx.x * blockDim.y + threadIdx.y; row < (count); \
       row += (u64)gridDim.x * blockDim.y)
#define EACH_COLUMN(width)                                                      \
  for (u64 column = (u64)blockIdx.y * blockDim.x + threadIdx.x; column < (width); \
       column += (u64)gridDim.y * blockDim.x)
// The same for a width that is written down: 64 bits would cost registers.
#define EACH_ACCESS(width)                                                   \
  for (u32 column = blockIdx.y * blockDim.x + threadIdx.x; column < (width); \
       column += gridDim.y * blockDim.x)
// The rows that a block has, all of its threads together.
#define EACH_TEAM_ROW(count) for (u64 row = blockIdx.x; row < (count); row += gridDim.x)
#define TEAM_COLUMN(width) for (u32 column = threadIdx.x; column < (width); column += TEAM)

// Rows of kernels that are the same for all models: they hold stored numbers or, where the mode has
// this bit, real ones, as sums over a minibatch are.
#define IS_WIDE(mode) (sizeof(stored) != sizeof(real) && ((mode) & WIDE) != 0)
// The elements of `stored` that have the place of one.
__device__ inline u64 places(bool wide) { return wide ? sizeof(real) / sizeof(stored) : 1; }

struct Row {
  AT(stored) elements;
  bool wide;
  __device__ real operator[](u64 column) const {
    return wide ? AS(const real, elements)[column] : (real)elements[column];
  }
  __device__ Row operator+(u64 columns) const { return {elements + columns * places(wide), wide}; }
};

// An element of a row that is written.
struct Element {
  OUT(stored) pointer;
  bool wide;
  __device__ operator real() const { return wide ? *AS(real, pointer) : (real)*pointer; }
  __device__ void operator=(real x) const {
    if (wide) {
      *AS(real, pointer) = x;
    } else {
      *pointer = x;
    }
  }
  __device__ void operator=(const Element&) = delete;
};
struct OutRow {
  OUT(stored) elements;
  bool wide;
  __device__ Element operator[](u64 column) const { return {elements + column * places(wide), wide}; }
  __device__ OutRow operator+(u64 columns) const { return {elements + columns * places(wide), wide}; }
};

// Rows `stride` elements apart.
#define OUTS OUT(stored) out, u64 stride, u32 mode
#define OUT_ROW(row) out_row(out, stride, mode, row)
__device__ inline OutRow out_row(OUT(stored) out, u64 stride, u32 mode, u64 row) {
  const bool wide = IS_WIDE(mode);
  return {out + row * stride * places(wide), wide};
}
#define EACH_OF(x) IN(stored) x, u64 x##_stride, u32 x##_mode
#define ROW_OF(x, row) row_of_each(x, x##_stride, x##_mode, row)
__device__ inline Row row_of_each(AT(stored) x, u64 stride, u32 mode, u64 row) {
  const bool wide = IS_WIDE(mode);
  return {x + row * stride * places(wide), wide};
}

// An operand of which a row of the result has the row that the mode says: crates/edb-gpu/src/kernels/rows.rs, `Mode`.
#define ROWS(x) \
  IN(stored) x, IN(stored) x##_zeros, IN(u32) x##_index, u64 x##_stride, u32 x##_first, u32 x##_mode
// Its number, if there is one.
#define NO_ROW (~0ull)
__device__ inline u64 number_of(AT(u32) index, u32 first, u32 mode, u64 row) {
  const u32 which = mode & ~WIDE;
  if (which == ONE) return 0;
  if (which == OWNER) return index[row] - first;
  if (which == GATHER) return index[row] == ABSENT ? NO_ROW : index[row];
  return row;
}
#define ROW(x, row) row_of(x, x##_zeros, x##_index, x##_stride, x##_first, x##_mode, row)
__device__ inline Row row_of(AT(stored) x, AT(stored) zeros, AT(u32) index, u64 stride, u32 first,
                             u32 mode, u64 row) {
  // Only addresses are chosen among: NVRTC 13.0 does not end if whole rows are.
  row = number_of(index, first, mode, row);
  const bool none = row == NO_ROW;
  return row_of_each(none ? zeros : x, stride, none ? 0 : mode, none ? 0 : row);
}

// An index for each row: crates/edb-gpu/src/kernels/rows.rs, `Index`.
#define INDEX(x) \
  IN(u32) x, IN(u32) x##_owners, IN(u32) x##_children, u32 x##_first, u32 x##_owned, u32 x##_passed
#define PLACE_OF(x, row) (x##_owned ? x##_owners[row] : x##_first + (u32)(row))
#define INDEX_OF(x, row) \
  (x##_passed ? index_of_child(x, x##_children, PLACE_OF(x, row)) : x[PLACE_OF(x, row)])
__device__ inline u32 index_of_child(AT(u32) index, AT(u32) children, u32 place) {
  const u32 child = children[place];
  return child == ABSENT ? 0 : index[child];
}

// --- element by element ---

__device__ inline real sigmoid(real x) { return (real)1 / ((real)1 + exp(-x)); }
__device__ inline real softplus(real x) {
  return (x > 0 ? x : x < 0 ? (real)0 : x) + log1p(exp(-fabs(x)));
}
__device__ inline real normal_cdf(real x) {
  return sizeof(real) == 4 ? (real)normcdff((float)x) : (real)normcdf((double)x);
}
// An error of the square would be one of the result: crates/edb-kernels/src/math.rs.
__device__ inline real bell(real x) {
  const real size = fabs(x) > 64 ? (real)64 : x;
  const real square = size * size;
  const real value = exp((real)-0.5 * square);
  return value - value * ((real)0.5 * fma(size, size, -square));
}
__device__ inline real relu(real x) { return x < 0 ? (real)0 : x; }
__device__ inline real log_add(real a, real b) {
  return (a > b ? a : b) + log1p(exp(a == b ? (real)0 : -fabs(a - b)));
}
__device__ inline real positive(real x) { return x > 0 ? (real)1 : (real)0; }
__device__ inline real sign(real x) { return x > 0 ? (real)1 : x < 0 ? (real)-1 : (real)0; }
__device__ inline real greater(real a, real b) { return a > b ? (real)1 : (real)0; }
__device__ inline real greater_equal(real a, real b) { return a >= b ? (real)1 : (real)0; }
// Whether a maximum takes a rather than b, which came first: NaN counts as the greatest.
__device__ inline bool is_above(real a, real b) { return !(a <= b) && b == b; }
__device__ inline real exceeds(real a, real b) { return is_above(a, b) ? (real)1 : (real)0; }
// Not fmax, which would swallow NaN.
__device__ inline real greater_of(real a, real b) { return is_above(b, a) ? b : a; }
__device__ inline real mask(real m, real x) { return m == 0 ? (real)0 : x; }
__device__ inline real select(real m, real x, real y) { return m == 0 ? y : x; }

// --- draws: crates/edb-kernels/src/numbers/random.rs, bit for bit ---

__device__ inline u64 mix(u64 state) {
  u64 z = state + 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
// 53 bits.
__device__ inline u64 draw(u64 key, u64 element) { return mix(key ^ element) >> 11; }
__device__ inline double uniform(u64 key, u64 element) {
  return (double)draw(key, element) * (1.0 / 9007199254740992.0);
}
__device__ inline double normal(u64 key, u64 element) {
  const double radius = uniform(key, 2 * element), angle = uniform(key, 2 * element + 1);
  return sqrt(-2.0 * log(1.0 - radius)) * cos(6.283185307179586476925286766559 * angle);
}

// --- sums ---

// A sum of twice the digits of a `real`: a number, and what is lost where that is rounded (edb-core's
// `RunningSum`). So a thread may add up any number of terms; next to what it takes to read them, the
// additions take no time.
//
// A summand may be a product. It is not to be fused with the additions (`plus`): what one of them had
// rounded, or taken for infinite, the next would not.
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double plus(double a, double b) { return __dadd_rn(a, b); }
struct Sum {
  real value, lost;

  __device__ inline explicit Sum(real first) : value(first), lost(0) {}
  __device__ inline void add(real x) {
    const real sum = plus(value, x), of_x = sum - value;
    const real more = lost + ((value - (sum - of_x)) + plus(x, -of_x));
    // The difference of two infinities is not a number, which is not what was lost.
    const bool finite = fabs(sum) < INFINITY;
    value = finite ? sum + more : sum;
    lost = finite ? more - (value - sum) : (real)0;
  }
};

// --- over a row, by a block of TEAM threads; all of them call, and all get the result ---

struct Plus {
  __device__ real operator()(real a, real b) const { return a + b; }
};
struct Greatest {
  __device__ real operator()(real a, real b) const { return greater_of(a, b); }
};
struct Least {
  __device__ u32 operator()(u32 a, u32 b) const { return b < a ? b : a; }
};

template <u32 TEAM, class T, class Pair>
__device__ T fold_team(T x, Pair pair) {
  for (u32 step = 16; step > 0; step /= 2) x = pair(x, __shfl_xor_sync(0xffffffffu, x, step));
  if (TEAM > 32) {
    __shared__ T parts[TEAM / 32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = parts[0];
    for (u32 warp = 1; warp < TEAM / 32; ++warp) x = pair(x, parts[warp]);
  }
  return x;
}
template <u32 TEAM, class From>
__device__ real sum_row(From x, u32 width) {
  Sum sum(0);
  TEAM_COLUMN(width) sum.add(x[column]);
  return fold_team<TEAM>(sum.value, Plus());
}
template <u32 TEAM, class From>
__device__ real max_row(From x, u32 width) {
  real best = x[0];
  TEAM_COLUMN(width) best = Greatest()(best, x[column]);
  return fold_team<TEAM>(best, Greatest());
}
// The logarithm of the sum of powers of what is shifted: by the greatest element, so that none overflows.
// What is the shift itself is counted, so that what the others add to a single one is not lost.
template <u32 TEAM, class From>
__device__ real log_total_row(From x, u32 width, real shift) {
  real count = 0;
  Sum sum(0);
  TEAM_COLUMN(width) {
    const real difference = x[column] - shift;
    if (difference == 0) {
      count += 1;
    } else {
      sum.add(exp(difference));
    }
  }
  return log1p((fold_team<TEAM>(count, Plus()) - 1) + fold_team<TEAM>(sum.value, Plus()));
}

// The ops of the reduction class: `out` is one element or `width` of them.
#define REDUCTION(name)                       \
  template <u32 TEAM, class To, class From> \
  __device__ void name(To out, From x, u32 width, u32 index)

REDUCTION(reduce_sum) {
  const real sum = sum_row<TEAM>(x, width);
  if (threadIdx.x == 0) out[0] = sum;
}
REDUCTION(reduce_max) {
  const real best = max_row<TEAM>(x, width);
  if (threadIdx.x == 0) out[0] = best;
}
// Where the greatest element of a row is, which has been found.
template <u32 TEAM, class From>
__device__ u32 place_in_row(From x, u32 width, real best) {
  u32 first = width;
  // Nothing but NaN is not itself.
  TEAM_COLUMN(width) {
    const real other = x[column];
    if (other == best || (best != best && other != other)) first = Least()(first, column);
  }
  return fold_team<TEAM>(first, Least());
}
// The first place at which the sum of the probabilities of a softmax exceeds the draw; that of the
// greatest where it is infinite or NaN.
template <u32 TEAM, class From>
__device__ u32 sample_row(From x, u32 width, real chance) {
  __shared__ real sums[TEAM];
  const real best = max_row<TEAM>(x, width);
  const u32 greatest = place_in_row<TEAM>(x, width, best);
  if (!(fabs(best) < INFINITY)) return greatest;
  // Each thread has consecutive columns.
  const u32 part = (width + TEAM - 1) / TEAM;
  const u32 start = threadIdx.x * part < width ? threadIdx.x * part : width;
  const u32 end = start + part < width ? start + part : width;
  Sum sum(0);
  for (u32 column = start; column < end; ++column) sum.add(exp(x[column] - best));
  __syncthreads();
  sums[threadIdx.x] = sum.value;
  __syncthreads();
  Sum total(0);
  for (u32 thread = 0; thread < TEAM; ++thread) {
    if (thread == threadIdx.x) sum = total;
    total.add(sums[thread]);
  }
  u32 first = width;
  for (u32 column = start; column < end && first == width; ++column) {
    sum.add(exp(x[column] - best));
    if (sum.value > chance * total.value) first = column;
  }
  first = fold_team<TEAM>(first, Least());
  return first < width ? first : greatest;
}
REDUCTION(reduce_max_mask) {
  const u32 first = place_in_row<TEAM>(x, width, max_row<TEAM>(x, width));
  TEAM_COLUMN(width) out[column] = column == first ? (real)1 : (real)0;
}
// One by the sum of the powers of a softmax.
template <u32 TEAM, class From>
__device__ real scale_of_powers(From x, u32 width, real best) {
  Sum sum(0);
  TEAM_COLUMN(width) sum.add(exp(x[column] - best));
  return (real)1 / fold_team<TEAM>(sum.value, Plus());
}
REDUCTION(reduce_softmax) {
  const real best = max_row<TEAM>(x, width);
  const real scale = scale_of_powers<TEAM>(x, width, best);
  // Once more, since what was kept of a power meanwhile may have been rounded.
  TEAM_COLUMN(width) out[column] = exp(x[column] - best) * scale;
}
template <u32 TEAM, class To, class From>
__device__ void cross_entropy_gradient_row(To out, From x, u32 width, u32 label, real factor) {
  const real best = max_row<TEAM>(x, width);
  const real scale = scale_of_powers<TEAM>(x, width, best);
  TEAM_COLUMN(width) {
    const real part = exp(x[column] - best) * scale * factor;
    out[column] = column == label ? part - factor : part;
  }
}
REDUCTION(reduce_log_softmax) {
  const real greatest = max_row<TEAM>(x, width);
  const real total = log_total_row<TEAM>(x, width, greatest);
  TEAM_COLUMN(width) out[column] = (x[column] - greatest) - total;
}
REDUCTION(reduce_log_sum_exp) {
  const real greatest = max_row<TEAM>(x, width);
  // Infinities are not shifted: a difference of two would not be a number.
  const real shift = fabs(greatest) == INFINITY ? (real)0 : greatest;
  const real total = log_total_row<TEAM>(x, width, shift);
  if (threadIdx.x == 0) out[0] = shift + total;
}
REDUCTION(reduce_norm) {
  Sum sum(0);
  TEAM_COLUMN(width) sum.add(x[column] * x[column]);
  const real all = fold_team<TEAM>(sum.value, Plus());
  if (threadIdx.x == 0) out[0] = sqrt(all);
}
REDUCTION(reduce_cross_entropy) {
  const real greatest = max_row<TEAM>(x, width);
  const real total = log_total_row<TEAM>(x, width, greatest);
  if (threadIdx.x == 0) out[0] = total - (x[index] - greatest);
}

// Running sums: each thread has consecutive columns, and begins with the sum of those before.
template <u32 TEAM, bool REVERSED, class To, class From>
__device__ void running_sum(To out, From x, u32 width) {
  __shared__ real before[TEAM];
  const u32 part = (width + TEAM - 1) / TEAM;
  const u32 start = threadIdx.x * part < width ? threadIdx.x * part : width;
  const u32 end = start + part < width ? start + part : width;
  Sum own(0), sum(0);
  for (u32 i = start; i < end; ++i) own.add(x[REVERSED ? width - 1 - i : i]);
  __syncthreads();
  before[threadIdx.x] = own.value;
  __syncthreads();
  for (u32 thread = 0; thread < threadIdx.x; ++thread) sum.add(before[thread]);
  for (u32 i = start; i < end; ++i) {
    const u32 column = REVERSED ? width - 1 - i : i;
    sum.add(x[column]);
    out[column] = sum.value;
  }
}
REDUCTION(reduce_cumulative_sum) { running_sum<TEAM, false>(out, x, width); }
REDUCTION(reduce_cumulative_sum_reversed) { running_sum<TEAM, true>(out, x, width); }
