//! The side of the process that runs the policy.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::mem;
use std::os::fd::{BorrowedFd, RawFd};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use std::{fs, thread};

use confinement::{GuardChannel, under_guard};
use policy_abi::host::LOG_WARN;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{fcntl_dupfd_cloexec, fcntl_getfd, ioctl_fionbio};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use super::callbacks::ChildContext;
use super::order::{CreateOrder, LoadOrder};
use super::reply::ChildReply;
use super::request::{AskedView, ChildRequest, ChildRequests};
use super::traces::ProcessState;
use crate::call::instance::PolicyInstance;
use crate::find::child_library::ChildLibrary;
use crate::find::library::Library;
use crate::limits::POLLED_FOR;

/// Standard input, output and error.
const STANDARD: RawFd = 3;

/// Runs a policy for the process that started this one, until that closes the pipe. Everything
/// happens on this thread. `builtin` are the libraries linked into the runner.
///
/// # Errors
///
/// If standard input and output are not pipes of a runner.
pub fn serve(builtin: Vec<Arc<Library>>) -> io::Result<ExitCode> {
    close_inherited()?;
    let guard = end_with_the_runner()?;
    let (input, output) = take_pipes()?;
    // Log lines of the shared code go to standard error, which the runner reads.
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .init();
    let mut input = Input {
        pipe: input,
        requests: ChildRequests::new(),
    };
    let mut context = ChildContext::new(output);
    let Some(ChildRequest::Load(place)) = input.next()? else {
        return Err(invalid("no order to load a library"));
    };
    let order: LoadOrder = input.requests.order(place)?;
    context.set_log_level(order.log_level);
    match order
        .confinement
        .as_ref()
        .map_or(Ok(Vec::new()), |confinement| confinement.enforce(guard))
    {
        Ok(missing) => {
            for words in missing {
                context.tell(LOG_WARN, words)?;
            }
        }
        Err(text) => {
            return context
                .send(&ChildReply::Refused(text))
                .map(|()| ExitCode::SUCCESS);
        }
    }
    match play(order.library, builtin, &context, &mut input) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Stop::Refused(text)) => context
            .send(&ChildReply::Refused(text))
            .map(|()| ExitCode::SUCCESS),
        Err(Stop::Pipe(error)) => Err(error),
    }
}

/// The reason why a process cannot continue.
enum Stop {
    Refused(String),
    Pipe(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Pipe(error)
    }
}

fn play(
    library: ChildLibrary,
    builtin: Vec<Arc<Library>>,
    context: &ChildContext,
    input: &mut Input,
) -> Result<(), Stop> {
    let before = ProcessState::now();
    let library = load(library, builtin)?;
    // Threads of the library may still run its code when this process ends.
    mem::forget(Arc::clone(&library));
    context.send(&ChildReply::Described(library.description.clone()))?;
    let mut next = input.next()?;
    let mut leaves_nothing = false;
    while let Some(request) = next {
        let ChildRequest::Create(place) = request else {
            return Err(invalid("no order to create a policy").into());
        };
        let order: CreateOrder = input.requests.order(place).map_err(invalid)?;
        leaves_nothing = order.leaves_nothing;
        next = play_one(&library, &order, context, input)?;
    }
    match before.change() {
        Some(change) if leaves_nothing => Err(Stop::Refused(change)),
        _ => Ok(()),
    }
}

/// Creates a policy and lets it answer; returns the first request that is no question.
fn play_one(
    library: &Arc<Library>,
    order: &CreateOrder,
    context: &ChildContext,
    input: &mut Input,
) -> Result<Option<ChildRequest>, Stop> {
    let index = library
        .description
        .index_of(Some(&order.id), &library.origin)
        .map_err(|none| Stop::Refused(none.to_string()))?;
    context.set_together(order.together);
    let mut instance = PolicyInstance::create(
        library,
        index,
        &order.params,
        context.host(),
        order.players,
        &order.config_folder,
    )
    .map_err(|error| Stop::Refused(error.to_string()))?;
    let created = ChildReply::Created {
        process: std::process::id(),
        announced: instance.announced(),
        shares: context.shares(),
    };
    context.send(&created)?;
    let mut asked = AskedView::new(instance.game());
    loop {
        let place = match input.next()? {
            Some(ChildRequest::Question(place)) => place,
            other => return Ok(other),
        };
        input
            .requests
            .question(place, &mut asked)
            .map_err(invalid)?;
        // The runner waits longer, but will have answered itself by then.
        context.want(asked.budget());
        let question = asked.question();
        let result = asked.with_view(|view| instance.decide(view));
        context.send(&ChildReply::Answered { question, result })?;
    }
}

fn load(library: ChildLibrary, builtin: Vec<Arc<Library>>) -> Result<Arc<Library>, Stop> {
    match library {
        ChildLibrary::File { copy, file } => Library::map(&copy, &file)
            .map(Arc::new)
            .map_err(|error| Stop::Refused(error.to_string())),
        ChildLibrary::Builtin(id) => {
            let holds = |library: &Arc<Library>| {
                library
                    .description
                    .policies
                    .iter()
                    .any(|policy| policy.id == id)
            };
            let library = builtin.into_iter().find(holds);
            library.ok_or_else(|| Stop::Refused(format!("no policy {id:?} is built in")))
        }
    }
}

fn invalid(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

/// The pipe from the runner.
struct Input {
    pipe: File,
    requests: ChildRequests,
}

impl Input {
    /// The next request; `None` if this process must end.
    fn next(&mut self) -> io::Result<Option<ChildRequest>> {
        let start = Instant::now();
        loop {
            if let Some(request) = self.requests.next_request().map_err(invalid)? {
                return Ok(Some(request));
            }
            match self.requests.fill(&mut self.pipe) {
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

/// Closes inherited descriptors besides the three standard ones: a library loaded into the runner
/// may have opened files that stay open in its children.
fn close_inherited() -> io::Result<()> {
    let descriptors: Vec<RawFd> = fs::read_dir("/dev/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&descriptor| descriptor >= STANDARD)
        .collect();
    for descriptor in descriptors {
        // SAFETY: this process has only just begun and has opened nothing, so every open descriptor
        // was inherited and is unused here. The descriptor of the folder itself is not open any
        // more.
        unsafe {
            if fcntl_getfd(BorrowedFd::borrow_raw(descriptor)).is_ok() {
                rustix::io::close(descriptor);
            }
        }
    }
    Ok(())
}

/// Moves the pipes to descriptors unknown to the library. Its output goes to standard error, and
/// its input is empty.
fn take_pipes() -> io::Result<(File, File)> {
    let take = |standard| fcntl_dupfd_cloexec(standard, STANDARD).map(File::from);
    let (input, output) = (take(stdin())?, take(stdout())?);
    dup2_stdout(stderr())?;
    dup2_stdin(File::open("/dev/null")?)?;
    ioctl_fionbio(&input, true)?;
    Ok((input, output))
}

/// Puts this process under a guard: the process ends with the guard, and the guard with the runner.
fn end_with_the_runner() -> io::Result<GuardChannel> {
    // The runner may have ended before the guard could notice.
    let input = stdin();
    let mut pipes = [PollFd::new(&input, PollFlags::empty())];
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    poll(&mut pipes, Some(&rustix::time::Timespec::default()))?;
    if pipes[0].revents().contains(PollFlags::HUP) {
        return Err(io::Error::new(
            ErrorKind::BrokenPipe,
            "the runner has ended",
        ));
    }
    under_guard()
}
