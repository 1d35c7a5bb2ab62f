extern "C" __global__ void __launch_bounds__(128, 1) edb_e6f5cca3fe70431c5e78fd1d(
    u64 rows,
    u32 first,
    OUT(real) o0,
    u32 kept0,
    OUT(real) o1,
    u32 kept1,
    OUT(real) o2,
    OUT(real) o3,
    u32 kept3,
    OUT(real) o4,
    u32 kept4,
    OUT(real) o5,
    IN(real) i0,
    IN(real) i1,
    IN(real) i2,
    IN(real) i3,
    IN(real) i4,
    IN(real) i5) {
  EACH_ROW(rows) {
    AT(real) in0 = i0;
    AT(real) in1 = i1 + row * 192;
    AT(real) in2 = i2;
    AT(real) in3 = i3 + row * 192;
    AT(real) in4 = i4;
    AT(real) in5 = i5 + row * 192;
    OUT(real) out0 = o0 + row * 192;
    OUT(real) out1 = o1 + row * 192;
    OUT(real) out2 = o2 + row * 64;
    OUT(real) out3 = o3 + row * 64;
    OUT(real) out4 = o4 + row * 64;
    OUT(real) out5 = o5 + row * 64;
    EACH_ACCESS(16) {
      const Pack x0 = load(in0 + column * LANES);
      const Pack x1 = load(in1 + column * LANES);
      const Pack x2 = load(in2 + column * LANES);
      const Pack x3 = load(in3 + column * LANES);
      const Pack x4 = load(in4 + column * LANES);
      const Pack x5 = load(in5 + column * LANES);
      Pack y0;
      Pack y1;
      Pack y2;
      Pack y3;
      Pack y4;
      Pack y5;
#pragma unroll
      for (u32 lane = 0; lane < LANES; ++lane) {
        const real v0 = x0.x[lane];
        const real v1 = x1.x[lane];
        const real v2 = x2.x[lane];
        const real v3 = x3.x[lane];
        const real v4 = x4.x[lane];
        const real v5 = x5.x[lane];
        const real t0 = v1 + v0;
        const real t1 = v3 + v2;
        const real t2 = v5 + v4;
        const real t3 = sigmoid(t0);
        const real t4 = tanh(t2);
        const real t5 = t3 * t4;
        const real t6 = sigmoid(t1);
        const real t7 = tanh(t5);
        const real t8 = t6 * t7;
        y0.x[lane] = t3;
        y1.x[lane] = t4;
        y2.x[lane] = t5;
        y3.x[lane] = t6;
        y4.x[lane] = t7;
        y5.x[lane] = t8;
      }
      if (kept0) store(out0 + column * LANES, y0);
      if (kept1) store(out1 + column * LANES, y1);
      store(out2 + column * LANES, y2);
      if (kept3) store(out3 + column * LANES, y3);
      if (kept4) store(out4 + column * LANES, y4);
      store(out5 + column * LANES, y5);
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
