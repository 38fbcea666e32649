// SPDX-License-Identifier: Apache-2.0
//! Finds libpointmill: in the folder `POINTMILL_LIB_DIR`, otherwise by pkg-config.

use std::{env, path::Path, process};

fn fail(text: &str) -> ! {
    println!("cargo::error={text}");
    process::exit(1);
}

fn main() {
    println!("cargo::rerun-if-env-changed=POINTMILL_LIB_DIR");
    if let Some(folder) = env::var_os("POINTMILL_LIB_DIR") {
        let folder = Path::new(&folder);
        if !folder.join("libpointmill.so").exists() && !folder.join("libpointmill.a").exists() {
            fail(&format!("POINTMILL_LIB_DIR={}: there is no libpointmill", folder.display()));
        }
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=pointmill");
    } else if let Err(error) = pkg_config::Config::new().range_version("0.1".."0.2").probe("pointmill") {
        let text = error.to_string();
        let first = text.lines().find(|line| !line.is_empty()).unwrap_or_default();
        fail(&format!("libpointmill 0.1 is not found: install it (make install), or set POINTMILL_LIB_DIR; {first}"));
    }
}
