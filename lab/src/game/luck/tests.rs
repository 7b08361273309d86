//! The expectation of each term is 0, and the files of weights fit the terms.

use std::io::Cursor;
use std::time::Duration;

use ::doudizhu::{DouDizhuEvent, DouDizhuRules};
use ::mcr::distance::discards;
use ::mcr::{McrAction, McrEvent, McrRules};
use ::riichi::rng::Rng;
use ::riichi::{Event, Kind, Rules, Seat, WholeGame};
use cs_eight_step::CsEightStep;
use doudizhu_split::DouDizhuSplit;
use greedy_tenpai::GreedyTenpai;
use lab_stats::{Advantage, Comparison, Differences, Verdict, estimate};
use policy_host::{
    Asked, ChosenPolicy, DirectPolicy, DirectThread, GameKind, Launch, Library, LibraryChoice,
    Measure, PolicyConfig, StartOptions, ViewBuffer,
};
use policy_sdk::Policy;
use protocol::game_record::{LineForm, RecordStart};
use protocol::{Parsed, event_json, parse_event};

use super::doudizhu::DouDizhuLuck;
use super::mcr::McrLuck;
use super::riichi::RiichiLuck;
use super::*;
use crate::game::{Entrant, GameId, GameNews, NamedGame, SeatPlayer, play};
use crate::replay::{judge_course, luck_of_course, luck_of_log, whole_courses};
use crate::replayed::ReplayedGame;
use crate::tournament::thread_time;

/// The terms of a deal in a game that has dealt these hands, to the seats in this order.
type DealtTerms = fn(u64, &[usize]) -> LuckSums;

fn riichi_dealt(rules: Rules, number: u64, order: &[usize]) -> LuckSums {
    let game = RiichiGame::numbered(rules, 5, number);
    let mut tables: Vec<_> = (0..order.len())
        .map(|seat| Some(PolicyTable::new(RiichiGame::seat_table(rules, seat))))
        .collect();
    let mut luck = RiichiLuck::new(&rules);
    for event in game.news() {
        let mut event = *event;
        if let Event::StartKyoku(start) = &mut event {
            let hands = start.tehais.as_slice().to_vec();
            for (seat, hand) in start.tehais.iter_mut() {
                *hand = hands[order[seat.index()]];
            }
        }
        for (seat, table) in tables.iter_mut().flatten().enumerate() {
            let heard = RiichiGame::heard_by(&event, seat);
            table.apply(&heard).expect("it can be dealt");
        }
        luck.heard(&event, &tables);
        if matches!(event, Event::StartKyoku(_)) {
            break;
        }
    }
    luck.sums().clone()
}

fn mcr_dealt(number: u64, order: &[usize]) -> LuckSums {
    let rules = McrRules::default();
    let game = McrGame::numbered(rules, 5, number);
    let deals: Vec<Option<McrEvent>> = order.iter().map(|&seat| game.deal_for(seat)).collect();
    let mut luck = McrLuck::new(&rules);
    luck.dealt(&deals);
    luck.sums().clone()
}

fn doudizhu_dealt(number: u64, order: &[usize]) -> LuckSums {
    let rules = DouDizhuRules::BIDDING;
    let game = DouDizhuGame::numbered(rules, 5, number);
    let deals: Vec<Option<DouDizhuEvent>> = order.iter().map(|&seat| game.deal_for(seat)).collect();
    let mut luck = DouDizhuLuck::new(&rules);
    luck.dealt(&deals);
    luck.sums().clone()
}

const DEALS: [(&str, usize, DealtTerms); 4] = [
    ("riichi of four", 4, |number, order| {
        riichi_dealt(Rules::TENHOU_HALF, number, order)
    }),
    ("riichi of three", 3, |number, order| {
        riichi_dealt(Rules::TENHOU_HALF.with_players(3), number, order)
    }),
    ("Chinese Standard", 4, mcr_dealt),
    ("Dou Dizhu", 3, doudizhu_dealt),
];

/// All orders of so many seats.
fn orders(players: usize) -> Vec<Vec<usize>> {
    if players == 0 {
        return vec![Vec::new()];
    }
    let longer = |order: Vec<usize>| {
        (0..players).map(move |place| {
            let mut order = order.clone();
            order.insert(place, players - 1);
            order
        })
    };
    orders(players - 1).into_iter().flat_map(longer).collect()
}

#[test]
fn over_all_orders_of_the_hands_of_a_deal_each_term_is_0_for_each_seat() {
    for (what, players, dealt) in DEALS {
        for number in 1..=4 {
            let orders = orders(players);
            let all: Vec<LuckSums> = orders.iter().map(|order| dealt(number, order)).collect();
            let moved = all.iter().any(|sums| {
                let mut values = sums.classes().iter().flatten();
                values.any(|&value| value != 0.0)
            });
            assert!(moved, "{what}: no term is moved by deal {number}");
            for class in 0..all[0].classes().len() {
                for seat in 0..players {
                    let sum: f64 = all.iter().map(|sums| sums.classes()[class][seat]).sum();
                    assert!(
                        sum.abs() < 1e-9,
                        "{what}, deal {number}, class {class}, seat {seat}: {sum}"
                    );
                }
            }
        }
    }
}

#[test]
fn over_random_deals_the_mean_of_each_term_is_0_for_each_seat_within_its_interval() {
    const DEALT: u64 = 1_000;
    for (what, players, dealt) in DEALS {
        let order: Vec<usize> = (0..players).collect();
        let all: Vec<LuckSums> = (1..=DEALT).map(|number| dealt(number, &order)).collect();
        let (mut inside, mut of) = (0, 0);
        for class in 0..all[0].classes().len() {
            for seat in 0..players {
                let terms: Vec<f64> = all.iter().map(|sums| sums.classes()[class][seat]).collect();
                let spread = estimate(&terms).and_then(|estimate| estimate.spread);
                let spread = spread.expect("there are several deals");
                if spread.standard_error == 0.0 {
                    continue;
                }
                of += 1;
                inside += u32::from((spread.low..=spread.high).contains(&0.0));
                let mean = f64::midpoint(spread.low, spread.high);
                assert!(
                    mean.abs() < 4.0 * spread.standard_error,
                    "{what}, class {class}, seat {seat}: {spread:?}"
                );
            }
        }
        // Terms of a deal depend on each other, so more than 5 % may lie outside.
        assert!(10 * inside >= 8 * of, "{what}: {inside} of {of}");
    }
}

/// Plays hands of Chinese Standard towards the nearest win, without claims, and shows each event.
fn each_mcr_event(
    hands: u64,
    mut told: impl FnMut(
        Option<&McrEvent>,
        &[Option<McrEvent>],
        &[Option<PolicyTable<::mcr::McrSeatState>>],
    ),
) {
    for wall in 1..=hands {
        let id = GameId {
            seed: 11,
            wall,
            seating: 0,
        };
        let players = (0..4).map(|_| {
            SeatPlayer::chooser(
                |table: &PolicyTable<::mcr::McrSeatState>, legal: &[McrAction]| {
                    let found = discards(table.hand());
                    let best = found
                        .iter()
                        .min_by_key(|of| (of.distance, 34 - of.acceptance.len()))?;
                    let wanted = McrAction::Discard(best.discard);
                    let place = |action| legal.iter().position(|&other| other == action);
                    place(McrAction::Win).or_else(|| place(wanted))
                },
            )
        });
        play::<McrGame>(McrRules::default(), id, players, |news| match news {
            GameNews::Dealt(deals) => told(None, deals, &[]),
            GameNews::Happened(event, after) => told(Some(event), &[], after.tables),
            _ => {}
        })
        .expect("it can be played");
    }
}

#[test]
fn over_all_tiles_that_may_come_each_term_of_a_draw_in_chinese_standard_is_0_on_average() {
    let mut luck = McrLuck::new(&McrRules::default());
    let mut draws = 0;
    let mut moved = vec![false; luck.sums().classes().len()];
    each_mcr_event(12, |event, deals, tables| {
        let Some(event) = event else {
            luck = McrLuck::new(&McrRules::default());
            luck.dealt(deals);
            return;
        };
        if let McrEvent::Drawn {
            seat,
            tile: Some(_),
        } = *event
        {
            let before = luck.sums().classes().to_vec();
            let mut mean = vec![[0.0; MAX_PLAYERS]; before.len()];
            for kind in Kind::all() {
                let mut other = luck.clone();
                other.drawn(seat, kind, tables);
                for (class, sums) in other.sums().classes().iter().enumerate() {
                    for seat in Seat::all(4).map(Seat::index) {
                        let term = sums[seat] - before[class][seat];
                        mean[class][seat] += term * f64::from(luck.unshown()[kind]);
                        moved[class] |= term != 0.0;
                    }
                }
            }
            draws += 1;
            let most = mean
                .iter()
                .flatten()
                .fold(0.0, |most: f64, mean| most.max(mean.abs()));
            assert!(most < 1e-6, "{most}");
        }
        luck.heard(event, tables);
    });
    let moved = moved.into_iter().filter(|&moved| moved).count();
    assert!(
        draws > 300 && moved > 10,
        "{draws} draws move {moved} classes"
    );
}

#[test]
fn the_tiles_that_may_come_in_chinese_standard_are_those_of_the_walls() {
    let mut luck = McrLuck::new(&McrRules::default());
    each_mcr_event(2, |event, deals, tables| {
        let Some(event) = event else {
            luck = McrLuck::new(&McrRules::default());
            luck.dealt(deals);
            return;
        };
        luck.heard(event, tables);
        if let (McrEvent::Drawn { .. }, Some(Some(table))) = (event, tables.first()) {
            let walls: u32 = Seat::all(4)
                .map(|seat| u32::from(table.public(seat).wall))
                .sum();
            assert_eq!(luck.unshown().total(), walls);
        }
    });
}

#[test]
fn there_is_a_weight_for_each_class_and_the_version_names_the_file() {
    let four = Rules::TENHOU_HALF;
    let three = four.with_players(3);
    let cases = [
        (
            GameRules::Riichi(four),
            RiichiGame::luck_weights(&four),
            RiichiGame::luck(&four).map(|terms| terms.sums().clone()),
            ("riichi-4 2 sha256 ", include_str!("riichi-four.txt")),
        ),
        (
            GameRules::Riichi(three),
            RiichiGame::luck_weights(&three),
            RiichiGame::luck(&three).map(|terms| terms.sums().clone()),
            ("riichi-3 2 sha256 ", include_str!("riichi-three.txt")),
        ),
        (
            GameRules::Mcr(McrRules::default()),
            McrGame::luck_weights(&McrRules::default()),
            McrGame::luck(&McrRules::default()).map(|terms| terms.sums().clone()),
            ("mcr 1 sha256 ", include_str!("mcr.txt")),
        ),
        (
            GameRules::DouDizhu(DouDizhuRules::BIDDING),
            DouDizhuGame::luck_weights(&DouDizhuRules::BIDDING),
            DouDizhuGame::luck(&DouDizhuRules::BIDDING).map(|terms| terms.sums().clone()),
            ("dou-dizhu 1 sha256 ", include_str!("doudizhu.txt")),
        ),
    ];
    for (rules, weights, sums, (begin, text)) in cases {
        let (weights, sums) = (weights.expect("it is fitted"), sums.expect("it has terms"));
        assert_eq!(weights.weights.len(), sums.classes().len(), "{begin}");
        assert!(
            weights.weights.iter().any(|&weight| weight != 0.0),
            "{begin}"
        );
        let hash = Sha256::of(text.as_bytes()).to_string();
        let version = version(&rules).expect("it is fitted");
        assert_eq!(version, format!("{begin}{}", &hash[..16]));
    }
    assert!(version(&GameRules::DouDizhu(DouDizhuRules::FIXED)).is_none());
}

#[test]
#[should_panic(expected = "figures of \"weights\": found Some(\"0,5\") for a number")]
fn a_weight_that_is_no_number_is_refused() {
    LuckWeights::read("riichi-4", 1, 2, "weights\n0.5\n0,5\n");
}

#[test]
#[should_panic(expected = "a weight of riichi-4")]
fn a_weight_that_is_not_finite_is_refused() {
    LuckWeights::read("riichi-4", 1, 2, "weights\n0.5\nNaN\n");
}

#[test]
#[should_panic(expected = "after \"weights\"")]
fn a_weight_without_a_class_is_refused() {
    LuckWeights::read("riichi-4", 1, 1, "weights\n0.5 0.5\n");
}

/// A bot of a policy with these parameters.
pub(super) fn entrant<P: Policy>(game: GameKind, players: u8, params: &str) -> Entrant {
    let options = StartOptions {
        bot: "test".to_owned(),
        game,
        players,
        config_folder: std::path::PathBuf::new(),
        launch: Launch::own(Vec::new()),
    };
    let section = PolicyConfig {
        params: params.parse().expect("parameters"),
        ..PolicyConfig::of(LibraryChoice::Builtin, Some(P::DESCRIPTOR.id.to_owned()))
    };
    let policy = ChosenPolicy::choose(Library::of::<P>(), &section, &options);
    Entrant {
        policy: policy.expect("a policy"),
        options,
        budget: Duration::from_secs(3),
        limit: None,
    }
}

/// A game of the bot against itself: the lines of its record, with nothing hidden, and its luck.
fn recorded<G: ReplayedGame + NamedGame<Table: 'static>>(
    rules: G::Rules,
    bot: &Entrant,
    wall: u64,
) -> (Vec<String>, SeatValues) {
    let start = RecordStart {
        game: G::KIND.name().to_owned(),
        ..RecordStart::default()
    };
    let mut lines = vec![G::Form::start_line(&start)];
    let mut luck = WeightedLuck::<G>::new(&rules).expect("it is fitted");
    let id = GameId {
        seed: 31,
        wall,
        seating: 0,
    };
    let played = DirectThread::run("test", |thread| {
        let seated = (0..G::seat_count(&rules)).map(|_| SeatPlayer::Bot(thread, bot));
        play::<G>(rules, id, seated, |news| {
            lines.extend(news.line(None));
            match news {
                GameNews::Dealt(deals) => luck.dealt(deals),
                GameNews::Happened(event, after) => luck.heard(event, after.tables),
                _ => {}
            }
        })
    });
    let played = played.expect("a thread").expect("it can be played");
    lines.extend(G::Form::end_line(&played.end.recorded()));
    (lines, luck.of_seats())
}

#[test]
fn the_luck_of_a_record_with_all_hands_is_that_of_the_game_as_it_was_played() {
    fn check<G: ReplayedGame + NamedGame<Table: 'static>>(rules: G::Rules, bot: &Entrant) {
        for wall in 1..=3 {
            let (lines, played) = recorded::<G>(rules, bot, wall);
            assert!(played.iter().any(|&luck| luck != 0), "wall {wall}");
            let text = Box::new(Cursor::new(lines.join("\n")));
            let mut courses = whole_courses::<G>(text).expect("it can be read");
            let judged = judge_course(&mut courses[0], None);
            assert_eq!((judged.findings, judged.cut), (Vec::new(), None));
            let read = luck_of_course(&courses[0]).expect("nothing is hidden");
            assert_eq!(read.of_seats, played, "wall {wall}");
            assert_eq!(
                Some(read.version),
                G::luck_weights(&rules).map(|of| &*of.version)
            );
        }
    }
    let four = Rules::TENHOU_HALF;
    for rules in [four, four.with_players(3)] {
        let bot = entrant::<GreedyTenpai>(GameKind::Riichi, rules.players, "calls = \"yaku\"");
        check::<RiichiGame>(rules, &bot);
    }
    let steps = entrant::<CsEightStep>(GameKind::Mcr, 4, "");
    check::<McrGame>(McrRules::default(), &steps);
    let split = entrant::<DouDizhuSplit>(GameKind::DouDizhu, 3, "candidates = 2\nplayouts = 16");
    check::<DouDizhuGame>(DouDizhuRules::BIDDING, &split);
}

#[test]
fn the_luck_of_a_log_is_not_known_if_it_hides_a_tile_or_is_not_a_whole_sound_game() {
    let bot = entrant::<GreedyTenpai>(GameKind::Riichi, 4, "");
    let (lines, played) = recorded::<RiichiGame>(Rules::TENHOU_HALF, &bot, 1);
    let known = |lines: &[String]| luck_of_log(&lines.join("\n"));
    assert_eq!(known(&lines).map(|luck| luck.of_seats), Some(played));
    let first = |word: &str| {
        let place = lines.iter().position(|line| line.contains(word));
        place.expect("it is there")
    };
    let with = |place: usize, line: String| {
        let mut lines = lines.clone();
        lines[place] = line;
        lines
    };
    let draw = first("\"tsumo\"");
    let Ok(Parsed::Event(event)) = parse_event(&lines[draw]) else {
        panic!("it is an event")
    };
    let other = Seat::all(4).find(|&seat| Some(seat) != event.actor());
    let hidden = event_json(&event.masked_for(other.expect("four play")));
    assert_eq!(
        known(&with(draw, hidden.to_string())),
        None,
        "a hidden draw"
    );
    let deal = first("start_kyoku");
    let Ok(Parsed::Event(event)) = parse_event(&lines[deal]) else {
        panic!("it is an event")
    };
    let hidden = event_json(&event.masked_for(Seat::FIRST));
    assert_eq!(known(&with(deal, hidden.to_string())), None, "hidden hands");
    assert_eq!(known(&lines[..lines.len() / 2]), None, "the first half");
    let twice: Vec<String> = lines.iter().chain(&lines).cloned().collect();
    assert_eq!(known(&twice), None, "two games");
    let mut impossible = lines.clone();
    impossible.swap(draw, draw + 1);
    assert_eq!(known(&impossible), None, "a discard before its draw");
    assert_eq!(known(&[]), None, "nothing");
}

/// A player that takes any legal action at this rate, and else the action of the bot.
fn weakened<'t, T: ShownTable>(
    thread: &'t DirectThread,
    bot: &'t Entrant,
    rate: f64,
    (wall, seat): (u64, usize),
) -> SeatPlayer<'t, T> {
    let policy = DirectPolicy::create(thread, &bot.policy, &bot.options);
    let mut policy = policy.expect("it can be created");
    let mut view = ViewBuffer::default();
    let mut random = Rng::keyed(&[wall, seat as u64]);
    let mut asked = Asked {
        game: wall,
        seed: random.next_u64(),
        budget: bot.budget,
        ..Asked::default()
    };
    SeatPlayer::chooser(move |table: &PolicyTable<T>, legal| {
        if random.unit() < rate {
            return Some(random.below(legal.len()));
        }
        table.fill(&mut view, legal, &asked);
        asked.decision += 1;
        let decided = policy.decide(&mut view).expect("it goes on");
        Some(decided.expect("it decides").index)
    })
}

/// Single games on fresh walls between two names of one bot.
struct NamedTwice {
    /// By how much the first was better in each game: as it was, and adjusted for luck.
    differences: Vec<[f64; 2]>,
    /// The part of the CPU time that luck took.
    of_luck: f64,
}

/// Plays the games of a measurement.
type PlayNamedTwice = Box<dyn Fn() -> NamedTwice>;

/// Plays so many games; at this rate the second name takes any legal action.
fn named_twice<G: NamedGame<Table: 'static>>(
    rules: G::Rules,
    bot: &Entrant,
    games: u64,
    rate: f64,
) -> NamedTwice {
    let players = G::seat_count(&rules);
    let mut differences = Vec::new();
    let mut of_luck = Duration::ZERO;
    let played = DirectThread::run("test", |thread| {
        let begun = thread_time();
        for wall in 1..=games {
            let id = GameId {
                seed: 23,
                wall,
                seating: 0,
            };
            // The first name has two seats of four, or one of three, and moves on with each game.
            let is_first = |seat: usize| (seat + wall as usize) % players < players / 2;
            let mut luck = WeightedLuck::<G>::new(&rules).expect("it is fitted");
            let seated = (0..players).map(|seat| {
                if rate == 0.0 || is_first(seat) {
                    SeatPlayer::Bot(thread, bot)
                } else {
                    weakened(thread, bot, rate, (wall, seat))
                }
            });
            let played = play::<G>(rules, id, seated, |news| match news {
                GameNews::Dealt(deals) => {
                    let before = thread_time();
                    luck.dealt(deals);
                    of_luck += thread_time() - before;
                }
                GameNews::Happened(event, after) => {
                    let before = thread_time();
                    luck.heard(event, after.tables);
                    of_luck += thread_time() - before;
                }
                _ => {}
            });
            let end = played.expect("it can be played").end;
            let mean = |first: bool, value: &dyn Fn(usize) -> f64| {
                let own = (0..players).filter(|&seat| is_first(seat) == first);
                let values: Vec<f64> = own.map(value).collect();
                values.iter().sum::<f64>() / values.len() as f64
            };
            let luck = luck.of_seats();
            let raw = |seat: usize| match G::MEASURE {
                Measure::Places => f64::from(end.places[seat]),
                Measure::Points { .. } => end.scores[seat],
            };
            let adjusted = |seat: usize| raw(seat) - f64::from(luck[seat]) / f64::from(PARTS);
            let better = |value: &dyn Fn(usize) -> f64| {
                G::MEASURE.better_by(mean(true, value), mean(false, value))
            };
            differences.push([better(&raw), better(&adjusted)]);
        }
        thread_time() - begun
    });
    let all = played.expect("a thread");
    NamedTwice {
        differences,
        of_luck: of_luck.as_secs_f64() / all.as_secs_f64(),
    }
}

/// A match is so many games.
const GAMES_OF_MATCH: usize = 20;

/// Plays so many matches in each game, one game after the other; at this rate the second name takes
/// any legal action. `LUCK_GAME` names the only game to be played.
fn each_named_twice(matches: u64, rate: f64) -> impl Iterator<Item = (&'static str, NamedTwice)> {
    let only = std::env::var("LUCK_GAME").ok();
    let games = matches * GAMES_OF_MATCH as u64;
    let riichi = move |players: u8| {
        let bot = entrant::<GreedyTenpai>(GameKind::Riichi, players, "");
        let rules = Rules::TENHOU_HALF.with_players(players);
        named_twice::<RiichiGame>(rules, &bot, games, rate)
    };
    let played: [(&'static str, PlayNamedTwice); 4] = [
        ("riichi of four", Box::new(move || riichi(4))),
        ("riichi of three", Box::new(move || riichi(3))),
        (
            "Chinese Standard",
            Box::new(move || {
                let bot = entrant::<CsEightStep>(GameKind::Mcr, 4, "");
                named_twice::<McrGame>(McrRules::default(), &bot, games, rate)
            }),
        ),
        (
            "Dou Dizhu",
            Box::new(move || {
                let params = "candidates = 2\nplayouts = 16";
                let bot = entrant::<DouDizhuSplit>(GameKind::DouDizhu, 3, params);
                named_twice::<DouDizhuGame>(DouDizhuRules::BIDDING, &bot, games, rate)
            }),
        ),
    ];
    let is_asked = move |what: &str| only.as_deref().is_none_or(|only| only == what);
    let asked = played.into_iter().filter(move |(what, _)| is_asked(what));
    asked.map(|(what, played)| (what, played()))
}

/// A number from the environment.
fn asked<T: std::str::FromStr>(variable: &str, usual: T) -> T {
    std::env::var(variable).map_or(usual, |text| {
        let number = text.parse().ok();
        number.unwrap_or_else(|| panic!("{variable} is {text:?}, and no number"))
    })
}

/// The matches that these games are, as they were or adjusted for luck.
fn advantages(differences: &[[f64; 2]], of: usize) -> Vec<Advantage> {
    let matches = differences.chunks(GAMES_OF_MATCH).map(|games| {
        let mut all = Differences::default();
        games.iter().for_each(|game| all.add(game[of]));
        all.advantage().expect("there are games")
    });
    matches.collect()
}

/// The mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let estimate = estimate(&values.collect::<Vec<f64>>()).expect("there are games");
    let error = estimate.spread.map_or(0.0, |spread| spread.standard_error);
    (estimate.mean, error)
}

/// Twice the standard error of the number of matches among so many that have a chance of 5 %.
fn twice_the_error_of_5_percent(matches: f64) -> f64 {
    2.0 * (matches * 0.05 * 0.95).sqrt()
}

/// `LUCK_MATCHES=1000 cargo test --release -p lab luck::tests::in_matches -- --ignored --nocapture`
/// plays so many matches of each game, or with `LUCK_GAME="Dou Dizhu"` of this one.
#[test]
#[ignore = "a measurement; see docs/experiments/luck.md"]
fn in_matches_of_a_policy_against_itself_adjusted_results_name_a_better_one_in_5_percent() {
    let matches = asked("LUCK_MATCHES", 1_000);
    let mut failed = Vec::new();
    for (what, played) in each_named_twice(matches, 0.0) {
        let NamedTwice {
            differences,
            of_luck,
        } = played;
        let wrong = [0, 1].map(|of| {
            let judged = advantages(&differences, of).into_iter();
            let verdicts = judged.map(|advantage| Comparison::alone(advantage).verdict);
            let is_wrong = |verdict: &Verdict| matches!(verdict, Verdict::Better | Verdict::Worse);
            verdicts.filter(is_wrong).count() as u64
        });
        let [(_, raw_error), (mean, error)] =
            [0, 1].map(|of| mean_and_error(differences.iter().map(|game| game[of])));
        eprintln!(
            "{what}: of {matches} matches of {GAMES_OF_MATCH} games {} (adjusted) and {} (raw) name a better one; \
             variance left {:.3}; mean {mean:.4}, standard error {error:.4} (adjusted); luck took {:.1} % of the CPU \
             time",
            wrong[1],
            wrong[0],
            (error / raw_error).powi(2),
            100.0 * of_luck
        );
        let matches = matches as f64;
        if wrong[1] as f64 > matches * 0.05 + twice_the_error_of_5_percent(matches) {
            failed.push(what);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// `LUCK_MATCHES=500 LUCK_RATE=0.05 cargo test -p lab --lib luck::tests::known -- --ignored
/// --nocapture` plays so many matches of each game, in which the second policy takes any legal
/// action at this rate. What it loses by that is known from all games, unadjusted.
#[test]
#[ignore = "a measurement; see docs/experiments/luck.md"]
fn known_differences_are_in_95_percent_of_the_adjusted_intervals_of_matches() {
    let (matches, rate): (u64, f64) = (asked("LUCK_MATCHES", 500), asked("LUCK_RATE", 0.05));
    let mut failed = Vec::new();
    for (what, NamedTwice { differences, .. }) in each_named_twice(matches, rate) {
        let (known, known_error) = mean_and_error(differences.iter().map(|game| game[0]));
        let (_, error) = mean_and_error(differences.iter().map(|game| game[1]));
        let (bias, bias_error) = mean_and_error(differences.iter().map(|game| game[1] - game[0]));
        let covered = [0, 1].map(|of| {
            let judged = advantages(&differences, of).into_iter();
            let spreads = judged.filter_map(|advantage| advantage.estimate.spread);
            let covers = spreads.filter(|spread| (spread.low..=spread.high).contains(&known));
            covers.count() as u64
        });
        eprintln!(
            "{what}: the difference is {known:.4}, standard error {known_error:.4}; of {matches} matches of \
             {GAMES_OF_MATCH} games {} (adjusted) and {} (raw) have it in their intervals; the adjustment adds \
             {bias:.4}, standard error {bias_error:.4}; variance left {:.3}",
            covered[1],
            covered[0],
            (error / known_error).powi(2),
        );
        let all = matches as f64;
        let is_covered = covered[1] as f64 >= all * 0.95 - twice_the_error_of_5_percent(all);
        if !is_covered || bias.abs() > 3.0 * bias_error {
            failed.push(what);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
