/// nothing yet
fn main(){}
