use edb::prelude::*;

#[derive(State)]
enum Either {
    Left(Tensor),
}

#[derive(Input)]
struct Pair(Tensor, Index);

#[derive(Output)]
struct Unit;

#[derive(State)]
struct Empty {}

#[derive(State)]
struct Generic<T> {
    x: T,
}
