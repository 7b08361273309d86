//! Programs that the games of a tournament share.

use std::fs;
use std::thread;
use std::time::Duration;

use lab::game::{Entrant, GameEnd, GameId, PlayedGame, SeatPlayer, play};
use policy_host::{
    ChosenPolicy, DirectThread, GameKind, Launch, Library, LibraryChoice, PolicyConfig,
    StartOptions,
};
use riichi::Rules;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use tempfile::TempDir;

use crate::Program;

/// Number of games that are played at once.
const GAMES: u64 = 6;

/// Games of one round.
const RULES: Rules = Rules {
    length: Length::Single,
    ..Rules::TENHOU_HALF
};

/// A program in its own folder, as an entrant.
struct SharedStage {
    folder: TempDir,
    entrant: Entrant,
}

/// A program that answers single views and lists of up to `batch`, and writes down the length of
/// each. `decide` is the body of a function of `view`.
fn script(batch: usize, decide: &str) -> String {
    format!(
        "import json, os, sys, time\n\
         open('starts', 'a').write('.')\n\
         def decide(view):\n    {}\n\
         first = True\n\
         for line in sys.stdin:\n\
         \x20   asked = json.loads(line)\n\
         \x20   views = asked if isinstance(asked, list) else [asked]\n\
         \x20   open('counts', 'a').write(f'{{len(views)}}\\n')\n\
         \x20   answers = [decide(view) for view in views]\n\
         \x20   if first: answers[0]['batch'] = {batch}\n\
         \x20   first = False\n\
         \x20   print(json.dumps(answers if isinstance(asked, list) else answers[0]), flush=True)\n",
        decide.replace('\n', "\n    ")
    )
}

/// The last discard, and no call.
const LAST: &str = "\
passes = [a for a in view['legal'] if a['type'] == 'none']\n\
return {'index': (passes or [a for a in view['legal'] if a['type'] == 'dahai'] or view['legal'])[-1]['index']}";

impl SharedStage {
    fn new(script: &str) -> Self {
        let folder = TempDir::new().expect("a folder can be made");
        fs::write(folder.path().join("policy.py"), script).expect("it can be written");
        let options = StartOptions {
            bot: String::new(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: folder.path().to_owned(),
            launch: Launch::own(Vec::new()),
        };
        let params = toml::toml! {
            command = "python3 policy.py"
            processes = 1
        };
        let section = PolicyConfig {
            params,
            ..PolicyConfig::of(LibraryChoice::Builtin, None)
        };
        let policy = ChosenPolicy::choose(Library::of::<Program>(), &section, &options)
            .expect("the section is right");
        let entrant = Entrant {
            policy,
            options,
            budget: Duration::from_secs(60),
            limit: None,
        };
        Self { folder, entrant }
    }

    /// Games of four of these, all at once.
    fn games(&self) -> Vec<PlayedGame> {
        thread::scope(|scope| {
            let games: Vec<_> = (0..GAMES)
                .map(|wall| {
                    let play = move |thread: &DirectThread| self.game(thread, wall);
                    DirectThread::spawn(scope, "shared", play).expect("there is a thread")
                })
                .collect();
            let ended = games.into_iter().map(|game| game.join().expect("no panic"));
            ended.collect()
        })
    }

    fn game(&self, thread: &DirectThread, wall: u64) -> PlayedGame {
        let id = GameId {
            seed: 1,
            wall,
            seating: 0,
        };
        let players = (0..4).map(|_| SeatPlayer::Bot(thread, &self.entrant));
        play::<RiichiGame>(RULES, id, players, |_| ()).expect("it is played")
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).expect("it was started")
    }

    /// The lengths of the lists, in order; 1 for a single view.
    fn counts(&self) -> Vec<usize> {
        let counts = self.text("counts");
        let counts = counts.lines().map(|count| count.parse().expect("a number"));
        counts.collect()
    }
}

fn ends(games: Vec<PlayedGame>) -> Vec<GameEnd> {
    games.into_iter().map(|game| game.end).collect()
}

#[test]
fn games_at_once_share_a_process_and_end_as_with_processes_of_their_own() {
    let several = SharedStage::new(&script(4, LAST));
    let games = several.games();
    assert!(
        games.iter().all(|game| game.first_fault.is_none()),
        "{:?}",
        games[0]
    );
    assert_eq!(several.text("starts").len(), 1);
    let counts = several.counts();
    assert_eq!(counts[..2], [1, 2], "the trial questions: one, and a list");
    let most = counts.iter().max();
    assert!(
        most.is_some_and(|most| (3..=4).contains(most)),
        "{counts:?}"
    );

    let single = SharedStage::new(&script(1, LAST));
    let one_by_one = single.games();
    assert_eq!(single.text("starts").len(), 1);
    assert!(single.counts().iter().all(|&count| count == 1));

    let alone = |wall| {
        let play = |thread: &DirectThread| several.game(thread, wall);
        DirectThread::run("alone", play).expect("there is a thread")
    };
    let alone: Vec<_> = (0..GAMES).map(alone).collect();
    assert_eq!(several.text("starts").len(), 1 + 4 * GAMES as usize);
    let alone = ends(alone);
    assert_eq!((ends(games), ends(one_by_one)), (alone.clone(), alone));
}

#[test]
fn a_program_that_ends_at_a_view_costs_no_other_game_a_decision() {
    let stage = SharedStage::new(&script(
        4,
        &format!(
            "if [view[key] for key in ('game_number', 'decision', 'seat')] == [2, 3, 1]: os._exit(3)\n{LAST}"
        ),
    ));
    let games = stage.games();
    let failed: Vec<u64> = games
        .iter()
        .map(|game| game.seats.iter().map(|seat| seat.failed).sum())
        .collect();
    assert_eq!(failed, [0, 0, 1, 0, 0, 0]);
    let (seat, fault) = games[2].first_fault.as_ref().expect("it failed");
    assert!(
        *seat == 1 && fault.contains("it ended (exit status: 3"),
        "{fault}"
    );
}

#[test]
fn a_program_that_cannot_answer_lists_though_it_says_so_is_refused() {
    let stage =
        SharedStage::new(&script(4, LAST).replace("answers if isinstance(asked, list) else ", ""));
    let refused = DirectThread::run("alone", |thread| {
        let player = || SeatPlayer::Bot(thread, &stage.entrant);
        let id = GameId {
            seed: 1,
            wall: 0,
            seating: 0,
        };
        play::<RiichiGame>(RULES, id, (0..4).map(|_| player()), |_| ())
            .map(|_| ())
            .map_err(|error| error.to_string())
    });
    let error = refused
        .expect("there is a thread")
        .expect_err("it is refused");
    assert!(
        error.contains("allowed for a list of 2 views: a list of 2 answers"),
        "{error}"
    );
}
