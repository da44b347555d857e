//! The `third-umpire` program.
#![forbid(unsafe_code)]

/// The system's allocator keeps what a burst of large bodies needed. jemalloc gives it back within seconds:
/// threads of its own see to that, also where nothing is asked of the service any more.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    third_umpire::cli::main()
}
