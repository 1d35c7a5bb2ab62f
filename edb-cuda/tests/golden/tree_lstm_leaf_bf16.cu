DEFINE(128, edb_e33963149bac57aca52712cb)(
    u64 rows,
    u32 first,
    OUT(stored) o0,
    u32 kept0,
    OUT(stored) o1,
    u32 kept1,
    OUT(stored) o2,
    OUT(stored) o3,
    u32 kept3,
    OUT(stored) o4,
    u32 kept4,
    OUT(stored) o5,
    IN(real) i0,
    IN(stored) i1,
    IN(real) i2,
    IN(stored) i3,
    IN(real) i4,
    IN(stored) i5) {
  EACH_ROW(rows) {
    AT(real) in0 = i0;
    AT(stored) in1 = i1 + row * 192;
    AT(real) in2 = i2;
    AT(stored) in3 = i3 + row * 192;
    AT(real) in4 = i4;
    AT(stored) in5 = i5 + row * 192;
    OUT(stored) out0 = o0 + row * 192;
    OUT(stored) out1 = o1 + row * 192;
    OUT(stored) out2 = o2 + row * 64;
    OUT(stored) out3 = o3 + row * 64;
    OUT(stored) out4 = o4 + row * 64;
    OUT(stored) out5 = o5 + row * 64;
    EACH_ACCESS(8) {
      const Pack<real, 8> x0 = load<8>(in0 + column * 8);
      const Pack<stored, 8> x1 = load<8>(in1 + column * 8);
      const Pack<real, 8> x2 = load<8>(in2 + column * 8);
      const Pack<stored, 8> x3 = load<8>(in3 + column * 8);
      const Pack<real, 8> x4 = load<8>(in4 + column * 8);
      const Pack<stored, 8> x5 = load<8>(in5 + column * 8);
      Pack<stored, 8> y0;
      Pack<stored, 8> y1;
      Pack<stored, 8> y2;
      Pack<stored, 8> y3;
      Pack<stored, 8> y4;
      Pack<stored, 8> y5;
#pragma unroll
      for (u32 lane = 0; lane < 8; ++lane) {
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
      if (kept0) store(out0 + column * 8, y0);
      if (kept1) store(out1 + column * 8, y1);
      store(out2 + column * 8, y2);
      if (kept3) store(out3 + column * 8, y3);
      if (kept4) store(out4 + column * 8, y4);
      store(out5 + column * 8, y5);
    }
  }
}
ENTRY(128, edb_e33963149bac57aca52712cb)

DEFINE(32, edb_9cfadf5ff029bd1130d83f30)(
    u64 rows,
    u32 first,
    OUT(stored) o0,
    IN(real) i0,
    IN(stored) i1,
    OUT(real) e0,
    u32 end_kept0,
    IN(u32) index0) {
  EACH_TEAM_ROW(rows) {
    AT(real) in0 = i0;
    AT(stored) in1 = i1 + row * 3;
    OUT(stored) out0 = o0 + row * 3;
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
ENTRY(32, edb_9cfadf5ff029bd1130d83f30)
