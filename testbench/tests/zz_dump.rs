//! d
use pipeline::entropy_selector::EntropySelectorConfig;
#[test]
fn dump() {
    let source = testbench::source::Source::of_design(&EntropySelectorConfig::new(1024, 256)).expect("prints");
    std::fs::create_dir_all("/work/qor").unwrap();
    for (name, text) in &source.files { std::fs::write(format!("/work/qor/{name}"), text).unwrap(); println!("{name} {}", source.top); }
}
