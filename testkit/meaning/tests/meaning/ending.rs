
/// Runs each function, and writes a line about it: a group of numbers for each input.
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let hex = |value: &f64| format!("{:x}", value.to_bits());
    let group = |group: &Vec<f64>| group.iter().map(hex).collect::<Vec<_>>().join(",");
    for function in FUNCTIONS {
        match std::panic::catch_unwind(|| function(INPUTS, PARAMETERS)) {
            Ok(told) => println!("{}", told.iter().map(group).collect::<Vec<_>>().join(" ")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(|text| text.replace('\n', " "));
                println!("{PANICKED}{}", text.unwrap_or_default());
            }
        }
    }
}
