// The kernels that are the same for all models: what is no fused kernel and no product.
//
// Rows are so many elements apart as their stride says; results have a row for each of `rows`, from the
// first on.

#define TEAM 128
#define KERNEL(name) DEFINE(TEAM, edb_##name)

KERNEL(fill)(OUTS, u64 rows, u64 width, real value) {
  EACH_ROW(rows) EACH_COLUMN(width) OUT_ROW(row)[column] = value;
}

KERNEL(copy)(OUTS, ROWS(x), u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(width) OUT_ROW(row)[column] = from[column];
  }
}

// `out += x`, or `out = x` where there is nothing to be added to.
KERNEL(add)(OUT(real) out, IN(real) x, u64 width, u32 added) {
  EACH_ROW(1) EACH_COLUMN(width) out[column] = added ? out[column] + x[column] : x[column];
}

// --- ports ---

// Where each row comes from: elements of the input's numbers, or, with the highest bit, of the arena,
// where a push has put them, or, with the one below it, too, of what is wide there.
KERNEL(pull)(OUTS, IN(real) data, IN(stored) arena, IN(real) wide, IN(u64) sources, u64 rows,
             u64 width) {
  const u64 pushed = 1ull << 63, to_wide = 1ull << 62;
  EACH_ROW(rows) {
    const u64 source = sources[row];
    EACH_COLUMN(width) {
      const u64 at = (source & ~(pushed | to_wide)) + column;
      const bool of_arena = source & pushed && !(source & to_wide);
      OUT_ROW(row)[column] = of_arena ? (real)arena[at] : source & to_wide ? wide[at] : data[at];
    }
  }
}

// The gradients of the edges from a vertex to its parents, summed in the order of the parents.
// `parents` are pairs of block and row; where a block has no such gradient its start is all ones.
KERNEL(state_gradient)(OUTS, IN(stored) arena, IN(u32) offsets, IN(u32) parents, IN(u64) starts,
                       IN(u64) strides, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const u32 begin = offsets[row], end = offsets[row + 1];
    EACH_COLUMN(width) {
      real sum = 0;
      for (u32 edge = begin; edge < end; ++edge) {
        const u32 block = parents[2 * (u64)edge];
        const u64 start = starts[block];
        if (start == ~0ull) continue;
        sum += arena[start + parents[2 * (u64)edge + 1] * strides[block] + column];
      }
      OUT_ROW(row)[column] = sum;
    }
  }
}

// The gradient of a pushed field: what the outside gives, and what those that pull it do.
KERNEL(output_gradient)(OUTS, IN(stored) seeds, u32 seeded, IN(stored) arena,
                        IN(u32) offsets, IN(u64) feeds, u32 fed, u64 rows, u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    real sum = seeded ? seeds[row * width + column] : (real)0;
    if (fed) {
      for (u32 at = offsets[row]; at < offsets[row + 1]; ++at) sum += arena[feeds[at] + column];
    }
    OUT_ROW(row)[column] = sum;
  }
}

// --- draws ---

// What a row draws by, for an op of this site: its vertex's key, or that of all vertices of its graph;
// and which of its vertex's edges it is.
__device__ inline u64 site_key(AT(u64) keys, AT(u32) owners, AT(u32) edges, u32 first, u32 edge,
                               u32 site, u32 shared, u64 row, u64 edge_row) {
  const u64 vertex = edge ? owners[row] : first + row;
  if (shared) return mix(keys[2 * vertex + 1] ^ site);
  const u64 number = edge ? edge_row - edges[vertex] : 0;
  return mix(keys[2 * vertex] ^ ((u64)site << 32 | number));
}
#define DRAWS \
  IN(u64) keys, IN(u32) owners, IN(u32) edges, u32 first, u32 edge, u32 first_edge, u32 site, u32 shared
#define SITE_KEY site_key(keys, owners, edges, first, edge, site, shared, row, first_edge + row)

KERNEL(dropout)(OUTS, ROWS(x), DRAWS, u64 threshold, real scale, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const u64 key = SITE_KEY;
    EACH_COLUMN(width) {
      const bool kept = draw(key, column) >= threshold;
      OUT_ROW(row)[column] = kept ? from[column] * scale : (real)0;
    }
  }
}

KERNEL(noise)(OUTS, ROWS(x), DRAWS, double deviation, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const u64 key = SITE_KEY;
    EACH_COLUMN(width) {
      OUT_ROW(row)[column] = from[column] + (real)(deviation * normal(key, column));
    }
  }
}

// --- movement ---

KERNEL(where_absent)(OUTS, ROWS(x), IN(u32) children, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const bool absent = children[row] == ABSENT;
    EACH_COLUMN(width) OUT_ROW(row)[column] = absent ? from[column] : (real)0;
  }
}

// `[m, n]` of `[n, m]`.
KERNEL(transpose)(OUTS, ROWS(x), u64 rows, u64 m, u64 n) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(m * n) OUT_ROW(row)[column] = from[column % n * m + column / n];
  }
}

KERNEL(table_row)(OUTS, ROWS(x), INDEX, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row) + (u64)INDEX_OF(row) * width;
    EACH_COLUMN(width) OUT_ROW(row)[column] = from[column];
  }
}

// The sum of the rows of a table that a vertex's bag names: `index` says where each vertex's begins.
KERNEL(bag_sum)(OUTS, ROWS(x), INDEX, IN(u32) bags, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const Row table = ROW(x, row);
    const u32 begin = INDEX_OF(row), end = index[VERTEX_OF(row) + 1];
    EACH_COLUMN(width) {
      real sum = 0;
      for (u32 at = begin; at < end; ++at) sum += table[bags[at] * width + column];
      OUT_ROW(row)[column] = sum;
    }
  }
}

KERNEL(bag_size)(OUTS, INDEX, u64 rows) {
  EACH_ROW(rows) EACH_COLUMN(1) {
    OUT_ROW(row)[0] = (real)(index[VERTEX_OF(row) + 1] - INDEX_OF(row));
  }
}

KERNEL(one_hot)(OUTS, ROWS(x), INDEX, u64 rows, u64 width) {
  EACH_ROW(rows) {
    const real value = ROW(x, row)[0];
    const u32 hot = INDEX_OF(row);
    EACH_COLUMN(width) OUT_ROW(row)[column] = column == hot ? value : (real)0;
  }
}

KERNEL(pick)(OUTS, ROWS(x), INDEX, u64 rows) {
  EACH_ROW(rows) EACH_COLUMN(1) OUT_ROW(row)[0] = ROW(x, row)[INDEX_OF(row)];
}

// --- products of what vertices have ---

KERNEL(outer)(OUTS, ROWS(a), ROWS(b), u64 rows, u64 m, u64 n) {
  EACH_ROW(rows) {
    const Row left = ROW(a, row);
    const Row right = ROW(b, row);
    EACH_COLUMN(m * n) OUT_ROW(row)[column] = left[column / n] * right[column % n];
  }
}

// `[m, inner] [inner, n]`, row by row of the operands; either matrix may be stored transposed.
KERNEL(mat_mul)(OUTS, ROWS(a), ROWS(b), u32 a_transposed, u32 b_transposed, u64 rows, u64 m, u64 n,
                u64 inner) {
  EACH_ROW(rows) {
    const Row left = ROW(a, row);
    const Row right = ROW(b, row);
    EACH_COLUMN(m * n) {
      const u64 i = column / n, j = column % n;
      real sum = 0;
      for (u64 k = 0; k < inner; ++k) {
        sum += left[a_transposed ? k * m + i : i * inner + k] *
               right[b_transposed ? j * inner + k : k * n + j];
      }
      OUT_ROW(row)[column] = sum;
    }
  }
}

// `out += W x`, or `out += Wᵀ x`, with a matrix for each row: `m` elements of `out`, `n` of `x`.
KERNEL(contract)(OUTS, ROWS(x), ROWS(w), u64 columns, u32 transposed, u64 rows, u64 m, u64 n) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const Row matrix = ROW(w, row);
    EACH_COLUMN(m) {
      real sum = 0;
      for (u64 k = 0; k < n; ++k) {
        sum += matrix[transposed ? k * columns + column : column * columns + k] * from[k];
      }
      const Element to = OUT_ROW(row)[column];
      to = to + sum;
    }
  }
}

// --- over the edges of a vertex ---

// The sum over each vertex's edges, from its first to its last, or the greatest.
KERNEL(fold_edges)(OUTS, EACH_OF(x), IN(u32) offsets, u32 first_edge, u32 greatest, u64 rows,
                   u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    real value = greatest ? -(real)INFINITY : (real)0;
    for (u32 edge = offsets[row]; edge < offsets[row + 1]; ++edge) {
      const real other = ROW_OF(x, edge - first_edge)[column];
      value = greatest ? greater_of(value, other) : value + other;
    }
    OUT_ROW(row)[column] = value;
  }
}

// 1 at the first of a vertex's edges that has the greatest element, else 0.
KERNEL(mark_greatest)(OUTS, EACH_OF(x), IN(u32) offsets, u32 first_edge, u64 rows, u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    const u64 begin = offsets[row] - first_edge, end = offsets[row + 1] - first_edge;
    u64 best = begin;
    for (u64 edge = begin; edge < end; ++edge) {
      if (is_above(ROW_OF(x, edge)[column], ROW_OF(x, best)[column])) best = edge;
    }
    for (u64 edge = begin; edge < end; ++edge) {
      OUT_ROW(edge)[column] = edge == best ? (real)1 : (real)0;
    }
  }
}

// --- over all rows of a minibatch, in an order that follows from their number alone ---

// Sums of `part` rows each, one behind the other.
KERNEL(sum_parts)(OUT(real) out, EACH_OF(x), u64 count, u64 part, u64 rows, u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    const u64 begin = row * part, end = begin + part < count ? begin + part : count;
    real sum = 0;
    for (u64 at = begin; at < end; ++at) sum += ROW_OF(x, at)[column];
    out[row * width + column] = sum;
  }
}

// The sum of these.
KERNEL(sum_rows)(OUT(real) out, IN(real) x, u64 count, u32 added, u64 width) {
  EACH_ROW(1) EACH_COLUMN(width) {
    real sum = added ? out[column] : (real)0;
    for (u64 at = 0; at < count; ++at) sum += x[at * width + column];
    out[column] = sum;
  }
}

// The sums of the rows that belong together: `order` names them, `offsets` where each sum begins.
KERNEL(sum_sparse)(OUT(real) out, EACH_OF(x), IN(u32) offsets, IN(u32) order, u64 rows, u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    real sum = 0;
    for (u32 at = offsets[row]; at < offsets[row + 1]; ++at) {
      sum += ROW_OF(x, order[at])[column];
    }
    out[row * width + column] = sum;
  }
}

// Rows into their places in a table.
KERNEL(place)(OUT(real) out, IN(real) x, IN(u32) places, u64 rows, u64 width) {
  EACH_ROW(rows) EACH_COLUMN(width) out[places[row] * width + column] = x[row * width + column];
}

// --- reductions over rows, a block each ---

#define ROW_KERNEL(name)                                                   \
  KERNEL(name)(OUTS, ROWS(x), INDEX, u32 indexed, u64 rows, u32 width) {   \
    EACH_TEAM_ROW(rows) {                                                  \
      const u32 place = indexed ? INDEX_OF(row) : 0;                       \
      reduce_##name<TEAM>(OUT_ROW(row), ROW(x, row), width, place);        \
      __syncthreads();                                                     \
    }                                                                      \
  }
ROW_KERNEL(sum)
ROW_KERNEL(max)
ROW_KERNEL(max_mask)
ROW_KERNEL(softmax)
ROW_KERNEL(log_softmax)
ROW_KERNEL(log_sum_exp)
ROW_KERNEL(norm)
ROW_KERNEL(cross_entropy)
ROW_KERNEL(cumulative_sum)
ROW_KERNEL(cumulative_sum_reversed)
