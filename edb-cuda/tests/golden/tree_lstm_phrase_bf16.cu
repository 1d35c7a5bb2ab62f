DEFINE(128, edb_02bd08b5b4981029600788a1)(
    u64 rows,
    u32 first,
    IN(stored) zeros,
    OUT(stored) o0,
    u32 kept0,
    OUT(stored) o1,
    u32 kept1,
    OUT(stored) o2,
    u32 kept2,
    OUT(stored) o3,
    u32 kept3,
    OUT(stored) o4,
    OUT(stored) o5,
    u32 kept5,
    OUT(stored) o6,
    u32 kept6,
    OUT(stored) o7,
    IN(real) i0,
    IN(stored) i1,
    IN(real) i2,
    IN(stored) i3,
    IN(real) i4,
    IN(stored) i5,
    IN(real) i6,
    IN(stored) i7,
    IN(real) i8,
    IN(stored) i9,
    IN(stored) i10,
    IN(u32) children10,
    IN(stored) i11,
    IN(u32) children11) {
  EACH_ROW(rows) {
    AT(real) in0 = i0;
    AT(stored) in1 = i1 + row * 320;
    AT(real) in2 = i2;
    AT(stored) in3 = i3 + row * 320;
    AT(real) in4 = i4;
    AT(stored) in5 = i5 + row * 320;
    AT(real) in6 = i6;
    AT(stored) in7 = i7 + row * 320;
    AT(real) in8 = i8;
    AT(stored) in9 = i9 + row * 320;
    const u32 child10 = children10[row];
    AT(stored) in10 = child10 == ABSENT ? zeros : i10 + (u64)child10 * 64;
    const u32 child11 = children11[row];
    AT(stored) in11 = child11 == ABSENT ? zeros : i11 + (u64)child11 * 64;
    OUT(stored) out0 = o0 + row * 320;
    OUT(stored) out1 = o1 + row * 320;
    OUT(stored) out2 = o2 + row * 320;
    OUT(stored) out3 = o3 + row * 64;
    OUT(stored) out4 = o4 + row * 64;
    OUT(stored) out5 = o5 + row * 64;
    OUT(stored) out6 = o6 + row * 320;
    OUT(stored) out7 = o7 + row * 64;
    EACH_ACCESS(8) {
      const Pack<real, 8> x0 = load<8>(in0 + column * 8);
      const Pack<stored, 8> x1 = load<8>(in1 + column * 8);
      const Pack<real, 8> x2 = load<8>(in2 + column * 8);
      const Pack<stored, 8> x3 = load<8>(in3 + column * 8);
      const Pack<real, 8> x4 = load<8>(in4 + column * 8);
      const Pack<stored, 8> x5 = load<8>(in5 + column * 8);
      const Pack<real, 8> x6 = load<8>(in6 + column * 8);
      const Pack<stored, 8> x7 = load<8>(in7 + column * 8);
      const Pack<real, 8> x8 = load<8>(in8 + column * 8);
      const Pack<stored, 8> x9 = load<8>(in9 + column * 8);
      const Pack<stored, 8> x10 = load<8>(in10 + column * 8);
      const Pack<stored, 8> x11 = load<8>(in11 + column * 8);
      Pack<stored, 8> y0;
      Pack<stored, 8> y1;
      Pack<stored, 8> y2;
      Pack<stored, 8> y3;
      Pack<stored, 8> y4;
      Pack<stored, 8> y5;
      Pack<stored, 8> y6;
      Pack<stored, 8> y7;
#pragma unroll
      for (u32 lane = 0; lane < 8; ++lane) {
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
      if (kept0) store(out0 + column * 8, y0);
      if (kept1) store(out1 + column * 8, y1);
      if (kept2) store(out2 + column * 8, y2);
      if (kept3) store(out3 + column * 8, y3);
      store(out4 + column * 8, y4);
      if (kept5) store(out5 + column * 8, y5);
      if (kept6) store(out6 + column * 8, y6);
      store(out7 + column * 8, y7);
    }
  }
}
ENTRY(128, edb_02bd08b5b4981029600788a1)

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
