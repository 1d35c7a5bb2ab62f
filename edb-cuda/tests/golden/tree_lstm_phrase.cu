extern "C" __global__ void __launch_bounds__(128, 1) edb_c2e8c4209e1b75e214344b27(
    u64 rows,
    u32 first,
    IN(real) zeros,
    OUT(real) o0,
    u32 kept0,
    OUT(real) o1,
    u32 kept1,
    OUT(real) o2,
    u32 kept2,
    OUT(real) o3,
    u32 kept3,
    OUT(real) o4,
    OUT(real) o5,
    u32 kept5,
    OUT(real) o6,
    u32 kept6,
    OUT(real) o7,
    IN(real) i0,
    IN(real) i1,
    IN(real) i2,
    IN(real) i3,
    IN(real) i4,
    IN(real) i5,
    IN(real) i6,
    IN(real) i7,
    IN(real) i8,
    IN(real) i9,
    IN(real) i10,
    IN(u32) children10,
    IN(real) i11,
    IN(u32) children11) {
  EACH_ROW(rows) {
    AT(real) in0 = i0;
    AT(real) in1 = i1 + row * 320;
    AT(real) in2 = i2;
    AT(real) in3 = i3 + row * 320;
    AT(real) in4 = i4;
    AT(real) in5 = i5 + row * 320;
    AT(real) in6 = i6;
    AT(real) in7 = i7 + row * 320;
    AT(real) in8 = i8;
    AT(real) in9 = i9 + row * 320;
    const u32 child10 = children10[row];
    AT(real) in10 = child10 == ABSENT ? zeros : i10 + (u64)child10 * 64;
    const u32 child11 = children11[row];
    AT(real) in11 = child11 == ABSENT ? zeros : i11 + (u64)child11 * 64;
    OUT(real) out0 = o0 + row * 320;
    OUT(real) out1 = o1 + row * 320;
    OUT(real) out2 = o2 + row * 320;
    OUT(real) out3 = o3 + row * 64;
    OUT(real) out4 = o4 + row * 64;
    OUT(real) out5 = o5 + row * 64;
    OUT(real) out6 = o6 + row * 320;
    OUT(real) out7 = o7 + row * 64;
    EACH_ACCESS(16) {
      const Pack x0 = load(in0 + column * LANES);
      const Pack x1 = load(in1 + column * LANES);
      const Pack x2 = load(in2 + column * LANES);
      const Pack x3 = load(in3 + column * LANES);
      const Pack x4 = load(in4 + column * LANES);
      const Pack x5 = load(in5 + column * LANES);
      const Pack x6 = load(in6 + column * LANES);
      const Pack x7 = load(in7 + column * LANES);
      const Pack x8 = load(in8 + column * LANES);
      const Pack x9 = load(in9 + column * LANES);
      const Pack x10 = load(in10 + column * LANES);
      const Pack x11 = load(in11 + column * LANES);
      Pack y0;
      Pack y1;
      Pack y2;
      Pack y3;
      Pack y4;
      Pack y5;
      Pack y6;
      Pack y7;
#pragma unroll
      for (u32 lane = 0; lane < LANES; ++lane) {
        const real v0 = x0.x[lane];
        const real v1 = x1.x[lane];
        const real v2 = x2.x[lane];
        const real v3 = x3.x[lane];
        const real v4 = x4.x[lane];
        const real v5 = x5.x[lane];
        const real v6 = x6.x[lane];
        const real v7 = x7.x[lane];
        const real v8 = x8.x[lane];
        const real v9 = x9.x[lane];
        const real v10 = x10.x[lane];
        const real v11 = x11.x[lane];
        const real t0 = v1 + v0;
        const real t1 = v3 + v2;
        const real t2 = v5 + v4;
        const real t3 = v7 + v6;
        const real t4 = v9 + v8;
        const real t5 = sigmoid(t0);
        const real t6 = tanh(t4);
        const real t7 = t5 * t6;
        const real t8 = sigmoid(t1);
        const real t9 = t8 * v10;
        const real t10 = t7 + t9;
        const real t11 = sigmoid(t2);
        const real t12 = t11 * v11;
        const real t13 = t10 + t12;
        const real t14 = sigmoid(t3);
        const real t15 = tanh(t13);
        const real t16 = t14 * t15;
        y0.x[lane] = t5;
        y1.x[lane] = t6;
        y2.x[lane] = t8;
        y3.x[lane] = t11;
        y4.x[lane] = t13;
        y5.x[lane] = t14;
        y6.x[lane] = t15;
        y7.x[lane] = t16;
      }
      if (kept0) store(out0 + column * LANES, y0);
      if (kept1) store(out1 + column * LANES, y1);
      if (kept2) store(out2 + column * LANES, y2);
      if (kept3) store(out3 + column * LANES, y3);
      store(out4 + column * LANES, y4);
      if (kept5) store(out5 + column * LANES, y5);
      if (kept6) store(out6 + column * LANES, y6);
      store(out7 + column * LANES, y7);
    }
  }
}

extern "C" __global__ void __launch_bounds__(32, 1) edb_609ba7fd91ad55e215333b5f(
    u64 rows,
    u32 first,
    OUT(real) o0,
    IN(real) i0,
    IN(real) i1,
    OUT(real) e0,
    u32 end_kept0,
    IN(u32) index0) {
  EACH_TEAM_ROW(rows) {
    AT(real) in0 = i0;
    AT(real) in1 = i1 + row * 3;
    OUT(real) out0 = o0 + row * 3;
    EACH_ACCESS(3) {
      const real v0 = in0[column];
      const real v1 = in1[column];
      const real t0 = v1 + v0;
      out0[column] = t0;
    }
    __syncthreads();
    if (end_kept0) reduce_cross_entropy<32>(e0 + row * 1, out0, 3, index0[first + row]);
    __syncthreads();
  }
}
