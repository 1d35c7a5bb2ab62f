// The kernels that are the same for all models: what is no fused kernel and no product. What each is for,
// and its parameters, are declared in crates/edb-gpu/src/kernels/library.rs.

#define KERNEL(name) DEFINE(THREADS, edb_##name)(PARAMETERS_##name)

KERNEL(fill) {
  EACH_ROW(rows) EACH_COLUMN(width) OUT_ROW(row)[column] = value;
}

KERNEL(copy_rows) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(width) OUT_ROW(row)[column] = from[column];
  }
}

KERNEL(add) {
  EACH_ROW(1) EACH_COLUMN(width) out[column] = added ? out[column] + x[column] : x[column];
}

// --- ports ---

KERNEL(pull) {
  EACH_ROW(rows) {
    const u64 source = sources[row];
    EACH_COLUMN(width) {
      const u64 place = (source & ~(PUSHED | PUSHED_WIDE)) + column;
      const bool of_arena = source & PUSHED && !(source & PUSHED_WIDE);
      OUT_ROW(row)[column] =
          of_arena ? (real)arena[place] : source & PUSHED_WIDE ? wide[place] : data[place];
    }
  }
}

KERNEL(state_gradient) {
  EACH_ROW(rows) {
    const u32 begin = offsets[row], end = offsets[row + 1];
    EACH_COLUMN(width) {
      Sum sum(0);
      for (u32 edge = begin; edge < end; ++edge) {
        const u32 block = parents[2 * (u64)edge];
        const u64 start = starts[block];
        if (start == NO_GRADIENT) continue;
        sum.add(arena[start + parents[2 * (u64)edge + 1] * strides[block] + column]);
      }
      OUT_ROW(row)[column] = sum.value;
    }
  }
}

KERNEL(output_gradient) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    Sum sum(seeded ? seeds[row * width + column] : (real)0);
    if (fed) {
      for (u32 feed = offsets[row]; feed < offsets[row + 1]; ++feed) sum.add(arena[feeds[feed] + column]);
    }
    OUT_ROW(row)[column] = sum.value;
  }
}

// --- draws ---

// What a row draws by, for an op of this site: its vertex's key, or that of all vertices of its graph;
// and which of its vertex's edges it is.
__device__ inline u64 site_key(AT(u64) keys, AT(u32) owners, AT(u32) edges, u32 first, u32 edge,
                               u32 site, u32 shared, u64 row, u64 edge_row) {
  const u64 vertex = edge ? owners[row] : first + row;
  AT(u64) key = keys + 3 * vertex;
  // How often the vertex has drawn before: outside of loops over children, and in how many of these.
  const u32 before = site < 1u << 16 ? (u32)key[2] : (u32)(key[2] >> 32) << 16;
  if (shared) return mix(key[1] ^ (u32)(site + before));
  const u64 number = edge ? edge_row - edges[vertex] : 0;
  return mix(key[0] ^ ((u64)(u32)(site + before) << 32 | number));
}
#define DRAWS \
  IN(u64) keys, IN(u32) owners, IN(u32) edges, u32 first, u32 edge, u32 first_edge, u32 site, u32 shared
#define SITE_KEY site_key(keys, owners, edges, first, edge, site, shared, row, first_edge + row)

KERNEL(dropout) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const u64 key = SITE_KEY;
    EACH_COLUMN(width) {
      const bool kept = draw(key, column) >= threshold;
      OUT_ROW(row)[column] = from[column] * (kept ? scale : (real)0);
    }
  }
}

KERNEL(noise) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const u64 key = SITE_KEY;
    EACH_COLUMN(width) {
      OUT_ROW(row)[column] = from[column] + (real)(deviation * normal(key, column));
    }
  }
}

// --- movement ---

KERNEL(where_absent) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const bool absent = children[row] == ABSENT;
    EACH_COLUMN(width) OUT_ROW(row)[column] = absent ? from[column] : (real)0;
  }
}

KERNEL(transpose) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(m * n) OUT_ROW(row)[column] = from[column % n * m + column / n];
  }
}

KERNEL(as_diagonal) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(n * n) OUT_ROW(row)[column] = column % (n + 1) == 0 ? from[column / n] : (real)0;
  }
}

KERNEL(diagonal) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    EACH_COLUMN(n) OUT_ROW(row)[column] = from[column * (n + 1)];
  }
}

KERNEL(table_row) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row) + (u64)INDEX_OF(index, row) * width;
    EACH_COLUMN(width) OUT_ROW(row)[column] = from[column];
  }
}

KERNEL(bag_sum) {
  EACH_ROW(rows) {
    const Row table = ROW(x, row);
    const u32 begin = INDEX_OF(index, row), end = index[PLACE_OF(index, row) + 1];
    EACH_COLUMN(width) {
      Sum sum(0);
      for (u32 item = begin; item < end; ++item) sum.add(table[bags[item] * width + column]);
      OUT_ROW(row)[column] = sum.value;
    }
  }
}

KERNEL(bag_size) {
  EACH_ROW(rows) EACH_COLUMN(1) {
    OUT_ROW(row)[0] = (real)(index[PLACE_OF(index, row) + 1] - INDEX_OF(index, row));
  }
}

KERNEL(one_hot) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const u32 hot = INDEX_OF(index, row);
    EACH_COLUMN(width) OUT_ROW(row)[column] = column / n == hot ? from[column % n] : (real)0;
  }
}

KERNEL(pick) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row) + (u64)INDEX_OF(index, row) * width;
    EACH_COLUMN(width) OUT_ROW(row)[column] = from[column];
  }
}

// --- indices ---

KERNEL(argmax) {
  EACH_TEAM_ROW(rows) {
    const Row from = ROW(x, row);
    const u32 place = place_in_row<THREADS>(from, width, max_row<THREADS>(from, width));
    if (threadIdx.x == 0) out[row] = place;
    __syncthreads();
  }
}

KERNEL(sample) {
  EACH_TEAM_ROW(rows) {
    const real chance = (real)uniform(SITE_KEY, 0);
    const u32 place = sample_row<THREADS>(ROW(x, row), width, chance);
    if (threadIdx.x == 0) out[row] = place;
    __syncthreads();
  }
}

KERNEL(spread) {
  EACH_ROW(rows) {
    const u64 there = pieces[3 * row], here = pieces[3 * row + 1], units = pieces[3 * row + 2];
    EACH_COLUMN(width) {
      if (column < units) to[there + column] = from[here + column];
    }
  }
}

KERNEL(fill_index) { EACH_ROW(rows) EACH_COLUMN(1) out[row] = value; }

KERNEL(next_index) {
  EACH_ROW(rows) EACH_COLUMN(1) {
    const u32 next = INDEX_OF(index, row) + 1;
    out[row] = next < count ? next : 0;
  }
}

KERNEL(copy_index) { EACH_ROW(rows) EACH_COLUMN(1) out[row] = INDEX_OF(index, row); }

KERNEL(index_if_absent) {
  EACH_ROW(rows) EACH_COLUMN(1) {
    const bool is_absent = slots[PLACE_OF(slots, row)] == ABSENT;
    out[row] = is_absent ? INDEX_OF(absent, row) : INDEX_OF(there, row);
  }
}

KERNEL(same_index) {
  EACH_ROW(rows) EACH_COLUMN(1) {
    OUT_ROW(row)[0] = INDEX_OF(a, row) == INDEX_OF(b, row) ? (real)1 : (real)0;
  }
}

// --- products of what vertices have ---

KERNEL(outer) {
  EACH_ROW(rows) {
    const Row left = ROW(a, row);
    const Row right = ROW(b, row);
    EACH_COLUMN(m * n) OUT_ROW(row)[column] = left[column / n] * right[column % n];
  }
}

KERNEL(mat_mul) {
  EACH_ROW(rows) {
    const Row left = ROW(a, row);
    const Row right = ROW(b, row);
    EACH_COLUMN(m * n) {
      const u64 i = column / n, j = column % n;
      Sum sum(0);
      for (u64 k = 0; k < inner; ++k) {
        sum.add(left[a_transposed ? k * m + i : i * inner + k] *
                right[b_transposed ? j * inner + k : k * n + j]);
      }
      OUT_ROW(row)[column] = sum.value;
    }
  }
}

KERNEL(contract) {
  EACH_ROW(rows) {
    const Row from = ROW(x, row);
    const Row matrix = ROW(w, row);
    EACH_COLUMN(m) {
      Sum sum(0);
      for (u64 k = 0; k < n; ++k) {
        sum.add(matrix[transposed ? k * columns + column : column * columns + k] * from[k]);
      }
      const Element to = OUT_ROW(row)[column];
      to = to + sum.value;
    }
  }
}

// --- products in a semiring ---

// The term k of element [i, j] of a product of [.., inner] and [inner, n].
#define TERM(k) (a[i * inner + (k)] + b[(k) * n + j])

KERNEL(semiring_product) {
  EACH_ROW(rows) {
    const Row a = ROW(left, row);
    const Row b = ROW(right, row);
    EACH_COLUMN(width) {
      const u64 i = column / n, j = column % n;
      real best = TERM(0);
      for (u64 k = 1; k < inner; ++k) best = greater_of(best, TERM(k));
      if (!greatest && fabs(best) < INFINITY) {
        // The greatest terms are counted apart: the small sum of the others would be lost beside 1.
        real equal = 0;
        Sum others(0);
        for (u64 k = 0; k < inner; ++k) {
          const real less = TERM(k) - best;
          if (less == 0) {
            equal += 1;
          } else {
            others.add(exp(less));
          }
        }
        best += log1p((equal - 1) + others.value);
      }
      OUT_ROW(row)[column] = best;
    }
  }
}

// The derivative of element [i, j], whose value is y, in its term k.
__device__ inline real weight_of(Row a, Row b, real y, u64 i, u64 k, u64 j, u64 inner, u64 n, bool greatest) {
  if (y == -(real)INFINITY) return 0;
  const real term = TERM(k);
  if (!greatest) return exp(term - y);
  for (u64 other = 0; other < k; ++other) {
    if (!is_above(term, TERM(other))) return 0;
  }
  for (u64 other = k + 1; other < inner; ++other) {
    if (is_above(TERM(other), term)) return 0;
  }
  return 1;
}

// Adds up the terms of an element of the left operand, of the right one, or of the result, by their weights and the
// factors of the other two.
__device__ inline void add_weighted(Sum& sum, Row a, Row b, Row y, Row f, Row g, u64 column, u32 role, u64 m,
                                    u64 inner, u64 n, bool greatest) {
  const u64 columns = role == 0 ? inner : n, first = column / columns, second = column % columns;
  const u64 count = role == 0 ? n : role == 1 ? m : inner;
  for (u64 at = 0; at < count; ++at) {
    const u64 i = role == 1 ? at : first;
    const u64 k = role == 0 ? second : role == 1 ? first : at;
    const u64 j = role == 0 ? at : second;
    const u64 of_left = i * inner + k, of_right = k * n + j, of_result = i * n + j;
    const real weight = weight_of(a, b, y[of_result], i, k, j, inner, n, greatest);
    sum.add(weight * (f[role == 0 ? of_right : of_left] * g[role == 2 ? of_right : of_result]));
  }
}

KERNEL(semiring_weighted) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    Sum sum(0);
    add_weighted(sum, ROW(a, row), ROW(b, row), ROW(y, row), ROW(f, row), ROW(g, row), column, role, m, inner, n,
                 greatest);
    OUT_ROW(row)[column] = sum.value;
  }
}

KERNEL(semiring_sum_parts) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    const u64 begin = row * part, end = begin + part < count ? begin + part : count;
    Sum sum(0);
    for (u64 term = begin; term < end; ++term) {
      add_weighted(sum, ROW(a, term), ROW(b, term), ROW(y, term), ROW(f, term), ROW(g, term), column, role, m, inner,
                   n, greatest);
    }
    out[row * width + column] = sum.value;
  }
}

// --- over the edges of a vertex ---

KERNEL(fold_edges) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    Sum sum(0);
    real best = -(real)INFINITY;
    for (u32 edge = offsets[row]; edge < offsets[row + 1]; ++edge) {
      const real other = ROW_OF(x, edge - first_edge)[column];
      sum.add(other);
      best = greater_of(best, other);
    }
    OUT_ROW(row)[column] = greatest ? best : sum.value;
  }
}

KERNEL(mark_greatest) {
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

KERNEL(sum_parts) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    const u64 begin = row * part, end = begin + part < count ? begin + part : count;
    Sum sum(0);
    for (u64 summand = begin; summand < end; ++summand) sum.add(ROW_OF(x, summand)[column]);
    out[row * width + column] = sum.value;
  }
}

KERNEL(sum_rows) {
  EACH_ROW(1) EACH_COLUMN(width) {
    Sum sum(added ? out[column] : (real)0);
    for (u64 summand = 0; summand < count; ++summand) sum.add(x[summand * width + column]);
    out[column] = sum.value;
  }
}

KERNEL(sum_sparse) {
  EACH_ROW(rows) EACH_COLUMN(width) {
    Sum sum(0);
    for (u32 summand = offsets[row]; summand < offsets[row + 1]; ++summand) {
      sum.add(ROW_OF(x, order[summand])[column]);
    }
    out[row * width + column] = sum.value;
  }
}

KERNEL(place_rows) {
  EACH_ROW(rows) EACH_COLUMN(width) out[places[row] * width + column] = x[row * width + column];
}

// --- reductions over rows, a block each ---

#define ROW_KERNEL(name)                                                \
  KERNEL(name) {                                                        \
    EACH_TEAM_ROW(rows * parts) {                                       \
      const u64 owner = row / parts, part = row % parts;                \
      const u32 place = indexed ? INDEX_OF(index, owner) : 0;           \
      reduce_##name<THREADS>(OUT_ROW(owner) + part * out_width,         \
                             ROW(x, owner) + part * width, width, place); \
      __syncthreads();                                                  \
    }                                                                   \
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

KERNEL(cross_entropy_gradient) {
  EACH_TEAM_ROW(rows) {
    const u32 label = INDEX_OF(index, row);
    cross_entropy_gradient_row<THREADS>(OUT_ROW(row), ROW(x, row), width, label, ROW(factor, row)[0]);
    __syncthreads();
  }
}
