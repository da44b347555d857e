//! The `third-umpire` program.

fn main() -> std::process::ExitCode {
    third_umpire::cli::main()
}
