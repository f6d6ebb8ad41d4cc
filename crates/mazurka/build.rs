//! Tells the program where the solver's library is, so that it runs without cargo
//! (docs/decisions/007).

fn main() {
    if let Ok(dir) = std::env::var("DEP_MAZURKA_Z3_LIB_DIR") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{dir}");
    }
}
