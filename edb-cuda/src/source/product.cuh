// Products of rows with a matrix, in tiles.
//
// cuBLAS is told sizes when it is called, and chooses how to sum by them. A launch that is recorded once
// and run over any number of rows can have neither: here sizes are arguments, and every sum has the order
// of its terms, whatever the number of rows and the size of a tile.

// How far a term is from the next in shared memory: they stay aligned for accesses of sixteen bytes, and
// begin in different banks.
#define PITCH(size) ((size) + 4)
// The rows and columns of a tile, and the terms that are brought to shared memory together. Large tiles, where
// there are enough of them to keep a GPU busy, read least. Small ones wait for memory, so they bring many terms.
#define LARGE_TILE 64
#define LARGE_DEPTH 16
#define ENOUGH 264
#define SMALL_DEPTH (256 / sizeof(real))
#define MOST_PLACES(large, small) ((large) > (small) ? (large) : (small))

struct Product {
  OUT(stored) out;
  u64 stride;
  u32 mode;
  AT(stored) x;
  AT(u32) index;
  u64 x_stride;
  u32 first, x_mode;
  AT(stored) w;
  u64 w_row, w_column;  // the elements from row to row, and from column to column
  u32 w_mode, added;
  u64 rows;
  u32 columns, terms;
};

// What a thread brings of SIZE rows, or columns, to shared memory by way of registers.
template <u32 SIZE, u32 DEPTH>
struct Part {
  static const u32 COUNT = SIZE * DEPTH / THREADS;
  real values[COUNT];

  // The first row or column of a thread, that of its terms, and the distance to its next of either.
  u32 line, term, line_step, term_step;

  // Neighbouring threads have neighbouring terms, or neighbouring lines: what lies side by side.
  __device__ inline explicit Part(bool by_term) {
    line = by_term ? threadIdx.x / DEPTH : threadIdx.x % SIZE;
    term = by_term ? threadIdx.x % DEPTH : threadIdx.x / SIZE;
    line_step = by_term ? THREADS / DEPTH : 0;
    term_step = by_term ? 0 : THREADS / SIZE;
  }
  __device__ inline void take_rows(const Product& product, const u64* starts, u32 from) {
    const bool wide = IS_WIDE(product.x_mode);
#pragma unroll
    for (u32 i = 0; i < COUNT; ++i) {
      const u64 start = starts[line + i * line_step];
      const u32 which = from + term + i * term_step;
      const bool there = start != NO_ROW && which < product.terms;
      values[i] = there ? Row{product.x + start, wide}[which] : (real)0;
    }
  }
  __device__ inline void take_columns(const Product& product, u32 left, u32 from) {
    const Row w = {product.w, IS_WIDE(product.w_mode)};
#pragma unroll
    for (u32 i = 0; i < COUNT; ++i) {
      const u32 column = left + line + i * line_step, which = from + term + i * term_step;
      const bool there = column < product.columns && which < product.terms;
      values[i] = there ? w[which * product.w_row + column * product.w_column] : (real)0;
    }
  }
  __device__ inline void put(real* to) const {
#pragma unroll
    for (u32 i = 0; i < COUNT; ++i) {
      to[(term + i * term_step) * PITCH(SIZE) + line + i * line_step] = values[i];
    }
  }
};

// A thread has DOWN by ACROSS sums of a tile. Terms are brought to one half of the shared memory while those
// in the other half are multiplied.
template <u32 ROWS, u32 COLUMNS, u32 DEPTH, u32 DOWN, u32 ACROSS>
__device__ inline void multiply_tiles(const Product& product, u64* starts, real* xs, real* ws) {
  const u32 down = threadIdx.x / (COLUMNS / ACROSS) * DOWN;
  const u32 across = threadIdx.x % (COLUMNS / ACROSS) * ACROSS;
  const u64 tiles_across = (product.columns + COLUMNS - 1) / COLUMNS;
  const u64 tiles = (product.rows + ROWS - 1) / ROWS * tiles_across;
  const u64 blocks = (u64)gridDim.x * gridDim.y;
  Part<ROWS, DEPTH> x(true);
  Part<COLUMNS, DEPTH> w(product.w_row == 1);
  for (u64 tile = blockIdx.x + (u64)gridDim.x * blockIdx.y; tile < tiles; tile += blocks) {
    const u64 top = tile / tiles_across * ROWS;
    const u32 left = tile % tiles_across * COLUMNS;
    if (threadIdx.x < ROWS) {
      const u64 row = top + threadIdx.x;
      const u64 number =
          row < product.rows ? number_of(product.index, product.first, product.x_mode, row) : NO_ROW;
      const u64 size = product.x_stride * places(IS_WIDE(product.x_mode));
      starts[threadIdx.x] = number == NO_ROW ? NO_ROW : number * size;
    }
    __syncthreads();
    x.take_rows(product, starts, 0);
    w.take_columns(product, left, 0);
    x.put(xs);
    w.put(ws);
    __syncthreads();
    real sums[DOWN][ACROSS] = {};
    u32 half = 0;
    for (u32 begin = 0; begin < product.terms; begin += DEPTH) {
      const bool more = begin + DEPTH < product.terms;
      if (more) {
        x.take_rows(product, starts, begin + DEPTH);
        w.take_columns(product, left, begin + DEPTH);
      }
#pragma unroll
      for (u32 term = 0; term < DEPTH; ++term) {
        const u32 line = half * DEPTH + term;
        real a[DOWN], b[ACROSS];
#pragma unroll
        for (u32 i = 0; i < DOWN; ++i) a[i] = xs[line * PITCH(ROWS) + down + i];
#pragma unroll
        for (u32 j = 0; j < ACROSS; ++j) b[j] = ws[line * PITCH(COLUMNS) + across + j];
#pragma unroll
        for (u32 i = 0; i < DOWN; ++i) {
#pragma unroll
          for (u32 j = 0; j < ACROSS; ++j) sums[i][j] += a[i] * b[j];
        }
      }
      half = 1 - half;
      if (more) {
        x.put(xs + half * DEPTH * PITCH(ROWS));
        w.put(ws + half * DEPTH * PITCH(COLUMNS));
      }
      __syncthreads();
    }
#pragma unroll
    for (u32 i = 0; i < DOWN; ++i) {
      if (top + down + i >= product.rows) break;
      const OutRow to = out_row(product.out, product.stride, product.mode, top + down + i);
#pragma unroll
      for (u32 j = 0; j < ACROSS; ++j) {
        const u32 column = left + across + j;
        if (column < product.columns) to[column] = product.added ? to[column] + sums[i][j] : sums[i][j];
      }
    }
  }
}

KERNEL(multiply) {
  __shared__ u64 starts[LARGE_TILE];
  const u32 large_places = LARGE_DEPTH * PITCH(LARGE_TILE);
  __shared__ Pack<real, 2 * MOST_PLACES(large_places, SMALL_DEPTH * PITCH(TILE_ROWS))> xs;
  __shared__ Pack<real, 2 * MOST_PLACES(large_places, SMALL_DEPTH * PITCH(TILE_COLUMNS))> ws;
  const u64 w_row = transposed ? 1 : w_stride, w_column = transposed ? w_stride : 1;
  const Product product = {out, stride, mode,     x,      x_index, x_stride, x_first, x_mode,
                      w,   w_row,  w_column, w_mode, added,   rows,     columns, terms};
  const u64 large = (rows + LARGE_TILE - 1) / LARGE_TILE * ((columns + LARGE_TILE - 1) / LARGE_TILE);
  if (large >= ENOUGH) {
    multiply_tiles<LARGE_TILE, LARGE_TILE, LARGE_DEPTH, 8, 4>(product, starts, xs.x, ws.x);
  } else {
    multiply_tiles<TILE_ROWS, TILE_COLUMNS, SMALL_DEPTH, 2, 2>(product, starts, xs.x, ws.x);
  }
}
