//! The people who play at the arena of this process, in browsers.
//!
//! To the arena each of them is a bot with a token. A person queues for a game while a page of the
//! seat is open.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{ArenaHandle, RegisteredBot, RegistrationState, Tokens};
use client::board::Board;
use client::bot::{Arena, Bot, BotEvent, BotPolicy, BotReport, LifeEnd, NamedBotEvent, Patience};
use client::place::complete;
use client::shutdown::Shutdown;
use client::{ArenaUrl, Token, random_secret};
use fleet::CommandFiles;
use foreign_text::shown;
use lab::game::GameRules;
use outbound::{Authorities, reach_directly};
use policy_host::{GameKind, Launch, Libraries, Pace, SeatedPolicy, StartOptions};
use riichi::game::RiichiGame;
use riichi::{Rules, WholeGame};
use say::output::say;
use secrecy::ExposeSecret;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use view::person::{PERSON_THINK, PersonSeat, PersonSeats};
use view::web::{PageServer, PageSubject};

use super::super::adviser::{advise, dismiss_adviser};
use super::listed;
use crate::cli::ArenaArgs;

/// Time before the arena's deadline at which the safe action is played.
const MARGIN: Duration = Duration::from_millis(250);

/// The people of an arena.
pub(super) struct People {
    seats: Vec<PersonSeat>,
    /// What the arena knows them by, in the same order.
    pub(super) registered: Vec<RegisteredBot>,
}

/// People who play until this is dropped.
pub(super) struct SeatedPeople {
    seats: Vec<PersonSeat>,
    _page: Option<PageServer>,
    _playing: JoinSet<()>,
}

impl Drop for SeatedPeople {
    fn drop(&mut self) {
        self.seats.iter().for_each(dismiss_adviser);
    }
}

impl People {
    /// The people of these arguments.
    ///
    /// # Errors
    ///
    /// If two players have the same name, a name cannot be seen, a page is asked for without a
    /// person, or the system gives no random bytes for tokens.
    pub(super) fn of(args: &ArenaArgs, tokens: &Tokens) -> anyhow::Result<Self> {
        let mut people = Self {
            seats: Vec::new(),
            registered: Vec::new(),
        };
        if args.people.is_empty() && args.page.address.is_some() {
            bail!(
                "--page: it serves the seats of people, and none plays; add --person, or leave it out"
            );
        }
        for name in &args.people {
            let mut known = people.registered.iter().chain(listed(tokens));
            if known.any(|bot| bot.name == *name) {
                bail!(
                    "--person: two players have the name {}; give each a name of its own, for instance --person Mia",
                    shown(name)
                );
            }
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                bail!(
                    "--person: found {}; a name has characters that can be seen",
                    shown(name)
                );
            }
            people.registered.push(RegisteredBot {
                token: random_secret().context("--person: no token")?.into(),
                name: name.clone(),
                state: RegistrationState::Active,
            });
            let seat = PersonSeat::new(name).context("the person's seat has no token")?;
            people.seats.push(seat);
        }
        Ok(people)
    }

    /// Says where the seats are taken, and has the people play from then on.
    ///
    /// # Errors
    ///
    /// If the page cannot be served, a seat cannot be played, or the adviser cannot play there.
    pub(super) async fn sit(
        self,
        args: &ArenaArgs,
        arena: &ArenaHandle,
        shutdown: &Shutdown,
    ) -> anyhow::Result<SeatedPeople> {
        let Self { seats, registered } = self;
        let board = Board::default();
        let page = args.page.serve(
            None,
            PageSubject::Bots {
                board: board.clone(),
                people: PersonSeats::of(seats.clone()),
            },
        )?;
        let links = page.iter().flat_map(|page| &page.seats);
        for (seat, link) in seats.iter().zip(links) {
            let name = shown(seat.name());
            say(format!("seat: {link} ({name}; the first browser takes it)"));
        }
        reach_directly(arena.local_addr());
        let (news, told) = mpsc::unbounded_channel();
        let mut playing = JoinSet::new();
        playing.spawn(note_news(board.clone(), told, seats.clone()));
        for (seat, registered) in seats.iter().cloned().zip(registered) {
            if let Some(config) = args.adviser.clone() {
                let rules = RiichiGame::usual_rules(args.players).with_length(args.length.into());
                let table = (GameRules::Riichi(rules), args.players);
                advise(&seat, config, table, files_of(args))?;
            }
            let bot = Bot {
                name: seat.name().into(),
                arena: Arena::Riichilab {
                    url: ArenaUrl::parse(&arena.url())?,
                    token: Token::new(registered.token.expose_secret())?,
                    authorities: Authorities::default(),
                },
                rules: Rules::TENHOU_HALF
                    .with_players(args.players)
                    .with_length(args.length.into()),
                turn: None,
                records: None,
                results: None,
                permits: None,
                patience: Patience::default(),
                plays_while_set_aside: true,
                news: news.clone(),
            };
            // The page of the bots shows no hand: other people read it, too.
            let mut report = BotReport::default();
            board.enter(&bot.name, bot.arena.to_string(), report.live.clone());
            report.live.round = Some(seat.round().clone());
            let policy = start_policy(&seat, args.players).await?;
            playing.spawn(play_on(seat, bot, policy, report, shutdown.clone()));
        }
        Ok(SeatedPeople {
            seats,
            _page: page,
            _playing: playing,
        })
    }
}

/// The files that the options name, from which an adviser's process is kept.
fn files_of(args: &ArenaArgs) -> CommandFiles {
    let CommandFiles {
        mut secrets,
        mut stored,
    } = args.page.files();
    secrets.extend(
        complete(args.tokens.clone())
            .pop()
            .map(|file| (file, "--tokens")),
    );
    stored.extend(
        complete(args.keep.clone())
            .pop()
            .map(|folder| (folder, "--keep")),
    );
    CommandFiles { secrets, stored }
}

async fn start_policy(seat: &PersonSeat, players: u8) -> anyhow::Result<BotPolicy> {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
    let options = StartOptions {
        bot: seat.name().to_owned(),
        game: GameKind::Riichi,
        players,
        config_folder: PathBuf::new(),
        launch,
    };
    let policy = seat
        .policy(PERSON_THINK, MARGIN, &options)
        .context("--person")?;
    let pace = Pace::from(&policy.section);
    let (policy, _) = SeatedPolicy::start(policy, pace, options, libraries).await?;
    Ok(BotPolicy::new(policy, fastrand::u64(..)))
}

/// Plays game after game, each while the person is there.
async fn play_on(
    seat: PersonSeat,
    bot: Bot,
    mut policy: BotPolicy,
    mut report: BotReport,
    shutdown: Shutdown,
) {
    loop {
        tokio::select! {
            () = seat.present() => {}
            () = shutdown.finishing() => return,
        }
        let games = report.games() + 1;
        let end;
        (report, end) = bot
            .resume(report, Some(games), &mut policy, &shutdown)
            .await;
        if end != LifeEnd::Done {
            if let Some(why) = end.trouble() {
                say(format!("{}: {why}", shown(seat.name())));
            }
            return;
        }
    }
}

/// Notes what happens to the people, and says what troubles them.
async fn note_news(
    board: Board,
    mut told: mpsc::UnboundedReceiver<NamedBotEvent>,
    seats: Vec<PersonSeat>,
) {
    while let Some(NamedBotEvent { bot, event, .. }) = told.recv().await {
        board.note(&bot, &event);
        match event {
            BotEvent::Started(place) => {
                if let Some(seat) = seats.iter().find(|seat| seat.name() == &*bot) {
                    seat.sits(place.index(), &bot);
                }
            }
            BotEvent::Dropped(why) => say(format!("{bot}: lost sight of the game: {why}")),
            _ => {}
        }
    }
}
