use ports::*;

#[vertex_function]
fn values(#[param(H)] x: Tensor) {
    let r = &x;
    let s = "text";
    let f = |y: Tensor| y + x;
    let t = true;
    let n = 3 % 2;
    let l = 0..3;
    let u = unsafe { x };
    let p = *r;
    println!("{s} {t} {n} {l:?}");
    let v = vec![u, p];
    let c = 1.5 as usize;
    push(Out { y: f(v[c]) });
}
