//! Tells the program where the solver's library is, so that it runs without cargo
//! (docs/decisions/007): in the cache, or, for a program that is packed with it, beside itself.

fn main() {
    println!("cargo::rerun-if-env-changed=MAZURKA_RELOCATABLE");
    if std::env::var_os("MAZURKA_RELOCATABLE").is_some() {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib");
    } else if let Ok(dir) = std::env::var("DEP_MAZURKA_Z3_LIB_DIR") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{dir}");
    }
}
