//! The program; all its code is in the library.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    bot_runner::program::main()
}
