// The end of a training step: losses, norms, and what moves parameters.
//
// What each kernel is for, and its parameters, are declared in crates/edb-gpu/src/kernels/optimizer.rs; so are the words and
// numbers of a tensor, and what a step comes to. This is compiled without fused multiply-add, so that a
// step has the bits of the host's (crates/edb-learn/src/optimizer).

#define KERNEL(name) extern "C" __global__ void edb_##name(PARAMETERS_##name)

#ifndef EDB_SHIM
#define POINTER(T, word) reinterpret_cast<T*>(word)
#endif

struct PlusDouble {
  __device__ double operator()(double a, double b) const { return a + b; }
};
__device__ inline bool is_finite(double x) { return x - x == 0; }

// The last tensor that does not begin behind a piece.
__device__ inline u32 tensor_of(AT(u64) table, u32 tensors, u64 piece) {
  u32 low = 0, high = tensors;
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    if (table[(u64)middle * WORDS + FIRST] <= piece) low = middle; else high = middle;
  }
  return low;
}

// The elements of an access of sixteen bytes. Tensors begin where there can be one, and so do pieces.
#define LANES (16 / (u32)sizeof(real))
template <u32 N>
struct Lanes {
  static constexpr u32 COUNT = N;
};

// Also from where it is going to be written.
template <u32 N>
__device__ inline Pack<real, N> read(AT(real) from) {
  return load<N>(from);
}

// The elements of a piece that a thread has, by `each(element, lanes)`: where a tensor is `packed`, as many
// as an access has, in turns with the other threads; then what is left, one by one. Which thread has which
// follows from their number.
template <class Each>
__device__ inline void each_element(AT(u64) tensor, u64 piece, bool packed, Each each) {
  const u64 begin = (piece - tensor[FIRST]) * PIECE, rest = tensor[COUNT] - begin;
  const u32 count = rest < PIECE ? (u32)rest : PIECE;
  const u32 vectorised = packed ? count / LANES * LANES : 0;
  for (u32 i = threadIdx.x * LANES; i < vectorised; i += THREADS * LANES) each(begin + i, Lanes<LANES>());
  for (u32 i = vectorised + threadIdx.x; i < count; i += THREADS) each(begin + i, Lanes<1>());
}

KERNEL(add_losses) {
  double sum = 0;
  for (u64 row = threadIdx.x; row < rows; row += THREADS) sum += x[row * stride];
  sum = fold_team<THREADS>(sum, PlusDouble());
  if (threadIdx.x == 0) status[LOSS] += sum;
}

KERNEL(add_rows) {
  EACH_ROW(rows) EACH_COLUMN(width) out[places[row] * width + column] += x[row * width + column];
}

KERNEL(squares) {
  EACH_TEAM_ROW(pieces) {
    AT(u64) tensor = table + (u64)tensor_of(table, tensors, row) * WORDS;
    AT(real) gradient = POINTER(const real, tensor[GRADIENT]);
    double sum = 0;
    each_element(tensor, row, true, [&](u64 element, auto lanes) {
      const auto x = read<lanes.COUNT>(gradient + element);
      for (u32 lane = 0; lane < lanes.COUNT; ++lane) {
        const double value = x.x[lane];
        sum += value * value;
      }
    });
    sum = fold_team<THREADS>(sum, PlusDouble());
    if (threadIdx.x == 0) sums[row] = sum;
  }
}

KERNEL(step_factors) {
  if (threadIdx.x == 0) {
    for (u32 norm = 0; norm < norms; ++norm) factors[norm] = 0;
  }
  double all = 0;
  for (u32 number = 0; number < tensors; ++number) {
    AT(u64) tensor = table + (u64)number * WORDS;
    const u64 end = number + 1 < tensors ? tensor[WORDS + FIRST] : pieces;
    double sum = 0;
    for (u64 piece = tensor[FIRST] + threadIdx.x; piece < end; piece += THREADS) sum += sums[piece];
    sum = fold_team<THREADS>(sum, PlusDouble());
    if (threadIdx.x == 0) factors[tensor[NORM]] += sum;
    all += sum;
  }
  if (threadIdx.x != 0) return;
  const double mean_norm = sqrt(all) * mean;
  status[MEAN_NORM] = mean_norm;
  status[TAKEN] = is_finite(status[LOSS]) && (!guarded || is_finite(mean_norm)) ? 1 : 0;
  for (u32 norm = 0; norm < norms; ++norm) {
    const double length = sqrt(factors[norm]) * mean;
    // NaN where nothing is clipped; an infinite length is clipped to nothing.
    factors[norm] = length > most[norm] ? mean * (most[norm] / length) : mean;
  }
}

// A moving average after a value, of which it takes this part.
__device__ inline real averaged(real average, real value, real take) {
  return value == average ? average : average + take * (value - average);
}

KERNEL(average) {
  if (status[TAKEN] == 0) return;
  EACH_TEAM_ROW(pieces) {
    AT(u64) tensor = table + (u64)tensor_of(table, tensors, row) * WORDS;
    AT(real) values = POINTER(const real, tensor[VALUES]);
    OUT(real) averages = POINTER(real, tensor[GRADIENT]);
    each_element(tensor, row, true, [&](u64 element, auto lanes) {
      const auto value = read<lanes.COUNT>(values + element);
      auto average = read<lanes.COUNT>(averages + element);
      for (u32 lane = 0; lane < lanes.COUNT; ++lane) {
        average.x[lane] = averaged(average.x[lane], value.x[lane], take);
      }
      store(averages + element, average);
    });
  }
}

// Moves tensors by a rule, which has the value, its gradient, what is kept for it, and coefficients.
template <u32 SLOT_COUNT, class RuleKernel>
__device__ void move(AT(double) status, AT(double) factors, AT(u64) table, AT(real) numbers, u32 tensors,
                     u64 first, u64 pieces, RuleKernel rule) {
  if (status[TAKEN] == 0) return;
  EACH_TEAM_ROW(pieces) {
    const u64 piece = first + row;
    const u32 number = tensor_of(table, tensors, piece);
    AT(u64) tensor = table + (u64)number * WORDS;
    AT(real) scalars = numbers + (u64)number * NUMBERS;
    const real bound = scalars[BOUND], coupled = scalars[COUPLED], keep = scalars[KEEP];
    real c[NUMBERS - COEFFICIENTS];
    for (u32 i = 0; i < NUMBERS - COEFFICIENTS; ++i) c[i] = scalars[COEFFICIENTS + i];
    const real scale = (real)factors[tensor[NORM]];
    OUT(real) values = POINTER(real, tensor[VALUES]);
    AT(real) gradients = POINTER(const real, tensor[GRADIENT]);
    AT(u32) indices = POINTER(const u32, tensor[INDICES]);
    const bool dense = tensor[INDICES] == 0;
    const u64 width = tensor[WIDTH];
    OUT(real) slots[SLOT_COUNT + 1];
    for (u32 slot = 0; slot < SLOT_COUNT; ++slot) slots[slot] = POINTER(real, tensor[SLOTS + slot]);
    // An access must not go from one row to the next, which may be elsewhere.
    const bool packed = dense || width % LANES == 0;
    each_element(tensor, piece, packed, [&](u64 element, auto lanes) {
      const u64 place = dense ? element : indices[element / width] * width + element % width;
      const auto gradient = read<lanes.COUNT>(gradients + element);
      auto value = read<lanes.COUNT>(values + place);
      Pack<real, lanes.COUNT> state[SLOT_COUNT + 1];
      for (u32 slot = 0; slot < SLOT_COUNT; ++slot) {
        state[slot] = read<lanes.COUNT>(slots[slot] + place);
      }
#pragma unroll
      for (u32 lane = 0; lane < lanes.COUNT; ++lane) {
        const real scaled = scale * gradient.x[lane];
        // Not fmin and fmax, which would swallow what is not a number.
        const real above = scaled > bound ? bound : scaled;
        const real clipped = above < -bound ? -bound : above;
        const real before = value.x[lane];
        real s[SLOT_COUNT + 1];
        for (u32 slot = 0; slot < SLOT_COUNT; ++slot) s[slot] = state[slot].x[lane];
        value.x[lane] = rule(keep * before, clipped + (is_finite(before) ? coupled * before : (real)0), s, c);
        for (u32 slot = 0; slot < SLOT_COUNT; ++slot) state[slot].x[lane] = s[slot];
      }
      store(values + place, value);
      for (u32 slot = 0; slot < SLOT_COUNT; ++slot) store(slots[slot] + place, state[slot]);
    });
  }
}

// A rule, by the name of its formula in edb-learn: c are the coefficients in the order of the formula, s the
// state in the order of the method's slots.
#define RULE(name)                                                                                    \
  struct Rule_##name {                                                                                \
    __device__ real operator()(real value, real gradient, real* s, const real* c) const;              \
  };                                                                                                  \
  KERNEL(name) {                                                                                      \
    move<SLOTS_OF_##name>(status, factors, table, numbers, tensors, first, pieces, Rule_##name());     \
  }                                                                                                   \
  __device__ inline real Rule_##name::operator()(real value, real gradient, real* s, const real* c) const

// Named as the fields of the rules are.

RULE(sgd) {
  return value - c[0] * gradient;
}
RULE(momentum) {
  s[0] = c[1] * s[0] + gradient;
  return value - c[0] * s[0];
}
RULE(nesterov) {
  s[0] = c[1] * s[0] + gradient;
  return value - c[0] * (gradient + c[1] * s[0]);
}
RULE(adagrad) {
  s[0] = s[0] + gradient * gradient;
  return value - c[0] * gradient / (sqrt(s[0]) + c[1]);
}
RULE(adadelta) {
  const real rate = c[0], take = c[1], epsilon = c[2];
  s[0] = averaged(s[0], gradient * gradient, take);
  const real step = sqrt(s[1] + epsilon) / sqrt(s[0] + epsilon) * gradient;
  s[1] = averaged(s[1], step * step, take);
  return value - rate * step;
}

// Coefficients: rate, keep, take, momentum, epsilon.
__device__ inline real rms_scaled(real gradient, real square, const real* c) {
  return gradient / (sqrt(square) + c[4]);
}
// The variance and the mean.
__device__ inline void rms_moments(real gradient, real* s, const real* c) {
  const real apart = gradient - s[1];
  s[0] = averaged(s[0], c[1] * (apart * apart), c[2]);
  s[1] = s[1] + c[2] * apart;
}
RULE(rmsprop) {
  s[0] = averaged(s[0], gradient * gradient, c[2]);
  return value - c[0] * rms_scaled(gradient, s[0], c);
}
RULE(rmsprop_momentum) {
  s[0] = averaged(s[0], gradient * gradient, c[2]);
  s[1] = c[3] * s[1] + rms_scaled(gradient, s[0], c);
  return value - c[0] * s[1];
}
RULE(rmsprop_centred) {
  rms_moments(gradient, s, c);
  return value - c[0] * rms_scaled(gradient, s[0], c);
}
RULE(rmsprop_centred_momentum) {
  rms_moments(gradient, s, c);
  s[2] = c[3] * s[2] + rms_scaled(gradient, s[0], c);
  return value - c[0] * s[2];
}

// Moments: coefficients begin with what both take of the gradient.
__device__ inline void moments(real gradient, real* s, const real* c) {
  s[0] = averaged(s[0], gradient, c[0]);
  s[1] = averaged(s[1], gradient * gradient, c[1]);
}
RULE(adam) {
  const real rate = c[2], correction = c[3], epsilon = c[4];
  moments(gradient, s, c);
  return value - rate * s[0] / (sqrt(s[1]) * correction + epsilon);
}
RULE(amsgrad) {
  const real rate = c[2], correction = c[3], epsilon = c[4];
  moments(gradient, s, c);
  s[2] = greater_of(s[2], s[1]);
  return value - rate * s[0] / (sqrt(s[2]) * correction + epsilon);
}
RULE(nadam) {
  const real correction = c[4], epsilon = c[5];
  moments(gradient, s, c);
  const real step = c[2] * gradient + c[3] * s[0];
  return value - step / (sqrt(s[1]) * correction + epsilon);
}
RULE(radam) {
  const real rate = c[2], epsilon = c[3];
  moments(gradient, s, c);
  return value - rate * s[0] / (sqrt(s[1]) + epsilon);
}
RULE(radam_unadapted) {
  moments(gradient, s, c);
  return value - c[2] * s[0];
}
RULE(lion) {
  const real rate = c[0];
  const real direction = averaged(s[0], gradient, c[1]);
  s[0] = averaged(s[0], gradient, c[2]);
  const real above = direction > 0 ? rate : direction;
  return value - (direction < 0 ? -rate : above);
}
