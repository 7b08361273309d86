//! The side of the process that runs the policy.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::mem;
use std::os::fd::{AsFd, BorrowedFd, RawFd};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use std::{fs, thread};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{fcntl_dupfd_cloexec, fcntl_getfd, ioctl_fionbio};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use super::callbacks::Context;
use super::order::{ChildLibrary, Order, PolicyOrder};
use super::questions::{AskedView, Questions, Told};
use super::words::Said;
use crate::config::Isolation;
use crate::plugin::describe::Description;
use crate::plugin::find::ChosenPolicy;
use crate::plugin::instance::Instance;
use crate::plugin::library::Library;
use crate::plugin::thread::POLLED_FOR;

/// Standard input, output and error.
const STANDARD: RawFd = 3;

/// Runs a policy for the process that started this one, until that closes the pipe. Everything happens on this thread.
///
/// # Errors
///
/// When standard input and output are no pipes of a runner.
pub fn serve() -> io::Result<ExitCode> {
    close_inherited()?;
    let (input, output) = take_pipes()?;
    end_with_the_runner(&input)?;
    // What the shared code has to log goes to standard error, which the runner reads.
    tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false).without_time().with_target(false).init();
    let mut ears = Ears { pipe: input, questions: Questions::new() };
    let mut context = Context::new(output);
    let Some(Told::Order(place)) = ears.next()? else { return Err(invalid("no order came")) };
    let order = ears.questions.order(place)?;
    context.set_log_level(order.log_level);
    match play(&order, &context, &mut ears) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Stop::Refused(text)) => context.say(&Said::Refused(text)).map(|()| ExitCode::SUCCESS),
        Err(Stop::Pipe(error)) => Err(error),
    }
}

/// Why a process is of no use.
enum Stop {
    Refused(String),
    Pipe(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Pipe(error)
    }
}

fn play(order: &Order, context: &Context, ears: &mut Ears) -> Result<(), Stop> {
    let library = load(order)?;
    // Threads of the library may still run its code when this process ends.
    mem::forget(Arc::clone(&library));
    let description = Description {
        build_id: library.build_id.clone(),
        abi_minor: library.abi_minor,
        policies: library.policies.clone(),
    };
    context.say(&Said::Described(description))?;
    let Some(PolicyOrder { id, params, players, config_folder }) = &order.policy else { return Ok(()) };
    let index = library.policy(Some(id)).map_err(Stop::Refused)?;
    let policy = ChosenPolicy { library, index, params: params.clone(), isolation: Isolation::Thread };
    let mut instance = Instance::create(&policy, context.host(), *players, config_folder)
        .map_err(|error| Stop::Refused(error.to_string()))?;
    context.say(&Said::Created)?;
    let mut asked = AskedView::new();
    while let Some(told) = ears.next()? {
        let Told::Question(place) = told else { return Err(invalid("a second order").into()) };
        ears.questions.question(place, &mut asked).map_err(invalid)?;
        // The runner waits longer, but has answered itself by then.
        context.want(asked.budget());
        let result = instance.decide(asked.view());
        context.say(&Said::from(result))?;
    }
    Ok(())
}

fn load(order: &Order) -> Result<Arc<Library>, Stop> {
    match &order.library {
        ChildLibrary::File { copy, file } => {
            Library::map(copy, file).map(Arc::new).map_err(|error| Stop::Refused(error.to_string()))
        }
        ChildLibrary::Builtin => {
            let id = order.policy.as_ref().map_or("", |policy| policy.id.as_str());
            let library = Library::builtin().into_iter().find(|library| library.policy(Some(id)).is_ok());
            library.ok_or_else(|| Stop::Refused(format!("no policy {id:?} is built in")))
        }
    }
}

fn invalid(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// What the runner says.
struct Ears {
    pipe: File,
    questions: Questions,
}

impl Ears {
    /// The next that this process is told; `None` when it is to end.
    fn next(&mut self) -> io::Result<Option<Told>> {
        let start = Instant::now();
        loop {
            if let Some(told) = self.questions.next_told().map_err(invalid)? {
                return Ok(Some(told));
            }
            match self.questions.fill(&mut self.pipe) {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if start.elapsed() < POLLED_FOR {
                        thread::yield_now();
                    } else {
                        poll(&mut [PollFd::new(&self.pipe, PollFlags::IN)], None)?;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Closes what was inherited besides the three standard descriptors: a library loaded into the runner may have opened
/// files that stay open in its children.
fn close_inherited() -> io::Result<()> {
    let descriptors: Vec<RawFd> = fs::read_dir("/dev/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&descriptor| descriptor >= STANDARD)
        .collect();
    for descriptor in descriptors {
        // SAFETY: this process has only just begun and has opened nothing, so whatever is open was inherited and is
        // nobody's here. The descriptor of the folder itself is not open any more.
        unsafe {
            if fcntl_getfd(BorrowedFd::borrow_raw(descriptor)).is_ok() {
                rustix::io::close(descriptor);
            }
        }
    }
    Ok(())
}

/// Moves the pipes to descriptors that a library does not know. What it prints goes to standard error, and there is
/// nothing for it to read.
fn take_pipes() -> io::Result<(File, File)> {
    let take = |standard| fcntl_dupfd_cloexec(standard, STANDARD).map(File::from);
    let (input, output) = (take(stdin())?, take(stdout())?);
    dup2_stdout(stderr())?;
    dup2_stdin(File::open("/dev/null")?)?;
    ioctl_fionbio(&input, true)?;
    Ok((input, output))
}

/// Has this process end when the runner does, whatever its library is doing then.
fn end_with_the_runner(input: &impl AsFd) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // It may have ended before.
    let mut pipes = [PollFd::new(input, PollFlags::empty())];
    poll(&mut pipes, Some(&rustix::time::Timespec::default()))?;
    if pipes[0].revents().contains(PollFlags::HUP) {
        return Err(io::Error::new(ErrorKind::BrokenPipe, "the runner is gone"));
    }
    Ok(())
}
