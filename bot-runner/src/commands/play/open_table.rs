//! A table before its first game, and what is said after the last one: the same for all games.

use std::sync::Arc;
use std::time::Duration;

use client::board::Board;
use client::bot::BotPolicy;
use client::shutdown::Shutdown;
use config::RawConfig;
use fleet::control::ControlSocket;
use fleet::{FileWatcher, Prepared, ReadyBot, Reloads, WATCH_EVERY, listen, start_policies};
use lab::game::Entrant;
use policy_host::{GameKind, Libraries};
use say::output::say;
use say::screen::LiveTable;
use view::person::{PersonSeat, PersonSeats};
use view::web::{PageServer, PageSubject, RecentLog};

use super::super::adviser::dismiss_adviser;
use super::super::entrants::entrant;
use super::super::run::{RunAims, live_table};
use super::super::takeover::LentSeats;
use super::bots::{introduction, ready_bots};
use super::person::Person;
use super::records::Records;
use super::same_wall::{SameWalls, TableEntrant};
use super::seats::TableBot;
use crate::cli::PlayArgs;

/// The line in place of results without a game.
const NO_GAME: &str = "No game was played to its end: there is no result, and no record.";

/// The table of a `play`: who sits there, and who watches and records their games.
pub(super) struct OpenTable {
    pub(super) args: PlayArgs,
    game: GameKind,
    /// The bots in the order of their configs; the person is the first.
    pub(super) bots: Vec<ReadyBot>,
    libraries: Arc<Libraries>,
    /// Number of these that do not just fill the table.
    pub(super) own: usize,
    pub(super) players: u8,
    pub(super) seed: u64,
    pub(super) person: Option<Person>,
    pub(super) records: Option<Records>,
    pub(super) board: Board,
    page: Option<PageServer>,
    /// What lets the user change the bots while they play.
    control: Option<(Reloads, Option<ControlSocket>)>,
}

impl OpenTable {
    /// Prepares the bots of a table.
    ///
    /// # Errors
    ///
    /// If an argument or a config is wrong, or the folder of the records cannot be made.
    pub(super) fn prepare(
        args: PlayArgs,
        raw: Vec<RawConfig>,
        game: GameKind,
    ) -> anyhow::Result<Self> {
        let person = Person::of(&args)?;
        let (Prepared { bots, libraries }, own, players) =
            ready_bots(&args, raw, game, person.as_ref())?;
        let records = args.record.as_deref().map(Records::open).transpose()?;
        let seed = args
            .seed
            .unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)));
        if let Some(person) = &person {
            person.offer_again(&args, seed);
        }
        Ok(Self {
            args,
            game,
            bots,
            libraries,
            own,
            players,
            seed,
            person,
            records,
            board: Board::default(),
            page: None,
            control: None,
        })
    }

    /// Starts the policies of the bots and says who plays; a person is awaited.
    ///
    /// # Errors
    ///
    /// If a policy does not start, the page cannot be served, or the user wants no game before the
    /// person sits down.
    pub(super) async fn open(
        &mut self,
        log: Option<RecentLog>,
        shutdown: &Shutdown,
    ) -> anyhow::Result<Vec<BotPolicy>> {
        let every = self
            .args
            .watch_ms
            .map_or(WATCH_EVERY, Duration::from_millis);
        let reloads = Reloads::new(FileWatcher::start(every)?, self.board.clone());
        let seed = self.seed;
        let policies =
            start_policies(&self.bots, &self.libraries, &reloads, |_| seed, shutdown).await?;
        say(introduction(
            &self.args,
            self.game,
            &self.bots,
            self.own,
            self.players,
            seed,
            self.person.as_ref(),
        ));
        let people = self.person_seat().into_iter().cloned().collect();
        let subject = PageSubject::Bots {
            board: self.board.clone(),
            people: PersonSeats::of(people),
        };
        self.page = self.args.page.serve(log, subject)?;
        let lent = LentSeats::on(self.page.as_ref(), &self.board, false);
        let socket = listen(&reloads, &self.board, lent);
        self.control = Some((reloads, socket));
        if let Some(person) = &self.person {
            person.arrive(self.page.as_ref(), shutdown).await?;
        }
        Ok(policies)
    }

    pub(super) const fn has_page(&self) -> bool {
        self.page.is_some()
    }

    /// The seat that the person plays, if one plays.
    pub(super) fn person_seat(&self) -> Option<&PersonSeat> {
        self.person.as_ref().map(|person| &person.seat)
    }

    /// Replays the walls of the person with the bots; `None` if no person plays.
    pub(super) fn same_walls(&self, bots: &[TableBot]) -> Option<SameWalls> {
        let person = self.person.as_ref()?;
        let entrants = self.bots.iter().zip(bots).skip(1).map(|(ready, bot)| {
            let entrant = entrant(ready, &self.libraries);
            TableEntrant {
                name: bot.name.clone(),
                entrant: Entrant {
                    budget: bot.budget(),
                    ..entrant
                },
            }
        });
        let (seat, adviser) = (person.seat.clone(), person.adviser().cloned());
        Some(SameWalls::new(seat, entrants.collect(), adviser))
    }

    /// The table of the bots in the terminal, while they play.
    pub(super) fn live(&self) -> Option<LiveTable> {
        let aims = RunAims {
            games: Some(self.args.games),
            duration: None,
        };
        live_table(self.board.clone(), aims)
    }

    /// Says how the games ended, in a table; `None` if none was played to its end.
    pub(super) fn end(&mut self, live: Option<LiveTable>, result: Option<String>) {
        if let Some(seat) = self.person_seat() {
            dismiss_adviser(seat);
        }
        drop((self.page.take(), live));
        match result {
            None => say(NO_GAME),
            Some(table) => say(format!("\n{table}")),
        }
        if let Some(again) = self.person_seat().and_then(PersonSeat::again) {
            say(format!("\nthe same again: {}", again.from_the_same_seat()));
        }
    }
}
