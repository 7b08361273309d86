//! A buffer that was filled before shows the same as a fresh one.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use policy_abi::log::{DRAW_EXHAUSTIVE, EVENT_START_KYOKU};
use protocol::{Parsed, parse_event};
use riichi::event::Points;
use riichi::{Rules, Tile};

use super::*;

fn events(record: &str) -> Vec<Event> {
    let folder = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../games/riichi/tests/records"
    ));
    let file = File::open(folder.join(record)).expect("the record opens");
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    let parsed = lines.filter_map(|line| match parse_event(&line.expect("it is text")) {
        Ok(Parsed::Event(event)) => Some(event),
        Ok(Parsed::Unknown(_)) => None,
        Err(error) => panic!("{error}"),
    });
    parsed.collect()
}

/// A game as one seat sees it, event by event.
struct Seen {
    events: std::vec::IntoIter<Event>,
    table: Table,
    log: RoundLog,
}

impl Seen {
    fn new(record: &str, seat: Seat) -> Self {
        let events = events(record).into_iter();
        Self {
            events,
            table: Table::new(Rules::TENHOU_HALF, seat),
            log: RoundLog::default(),
        }
    }

    /// The next event; `false` when there is none.
    fn go_on(&mut self) -> bool {
        let Some(event) = self.events.next() else {
            return false;
        };
        let event = event.masked_for(self.table.seat());
        self.table
            .apply(&event)
            .expect("the record has no contradiction");
        self.log.push(&event, &self.table);
        true
    }
}

/// Fills a buffer, which must then equal a fresh one.
#[track_caller]
fn fill(buffer: &mut ViewBuffer, table: &Table, log: &RoundLog) {
    let mut fresh = ViewBuffer::default();
    for buffer in [&mut *buffer, &mut fresh] {
        buffer.fill(table, log, &table.legal_actions(), &Asked::default());
    }
    assert_eq!(
        format!("{:?}", buffer.typed::<View>()),
        format!("{:?}", fresh.typed::<View>())
    );
    let expected = if table.dealt().is_some() {
        log.events.events()
    } else {
        &[]
    };
    assert_eq!(buffer.typed::<View>().2, expected);
}

const RECORDS: [&str; 2] = [
    "riichienv-majiang-00003.jsonl.gz",
    "riichienv-majiang-00006.jsonl.gz",
];

#[test]
fn through_the_rounds_and_games_of_a_seat() {
    let mut buffer = ViewBuffer::default();
    let mut filled = 0;
    for record in RECORDS {
        let mut seen = Seen::new(record, Seat::FIRST);
        while seen.go_on() {
            if !seen.table.legal_actions().is_empty() {
                fill(&mut buffer, &seen.table, &seen.log);
                filled += 1;
            }
        }
    }
    assert!(filled > 300, "{filled}");
}

#[test]
fn whichever_game_it_was_filled_from_before() {
    let mut games: Vec<Seen> = RECORDS
        .iter()
        .flat_map(|record| Seat::all(4).map(|seat| Seen::new(record, seat)))
        .collect();
    let mut random = fastrand::Rng::with_seed(1);
    let mut buffers = [ViewBuffer::default(), ViewBuffer::default()];
    for _ in 0..8_000 {
        let seen = random.choice(&mut games).expect("there are games");
        // Some events ask for no decision, and a game may be asked repeatedly.
        if random.u8(..4) > 0 {
            seen.go_on();
        }
        if seen.log.events.events().is_empty() {
            continue;
        }
        let buffer = random.choice(&mut buffers).expect("there are two");
        fill(buffer, &seen.table, &seen.log);
    }
}

#[test]
fn a_table_whose_deal_was_not_seen_has_no_log_whatever_the_buffer_held() {
    let mut seen = Seen::new(RECORDS[0], Seat::FIRST);
    let mut buffer = ViewBuffer::default();
    while seen.log.events.events().len() < 20 {
        seen.go_on();
    }
    fill(&mut buffer, &seen.table, &seen.log);
    assert_eq!(buffer.events(), 20);

    // A table that is rebuilt from the arena's description forgets the deal as well.
    fill(
        &mut buffer,
        &Table::new(Rules::TENHOU_HALF, Seat::FIRST),
        &seen.log,
    );
    assert_eq!(buffer.events(), 0);

    fill(&mut buffer, &seen.table, &seen.log);
    assert_eq!(buffer.events(), 20, "the whole log again");
}

/// The last tile that any seat drew or released: the winning tile of a round.
fn won_on(events: &[Event], hora: &Hora) -> Option<Tile> {
    events.iter().rev().find_map(|event| match *event {
        Event::Tsumo { actor, tile } if actor == hora.actor && hora.target == actor => tile,
        Event::Dahai { actor, tile, .. } | Event::Kakan { actor, tile, .. }
            if actor == hora.target =>
        {
            Some(tile)
        }
        _ => None,
    })
}

#[test]
fn the_log_of_a_round_begins_with_how_the_one_before_ended() {
    let records = [
        "riichienv-majiang-00003.jsonl.gz",
        "riichienv-majiang-00006.jsonl.gz",
        "riichienv-majiang-00007.jsonl.gz",
    ];
    let (mut won, mut drawn, mut unseen_tiles) = (0, 0, 0);
    for record in records {
        let mut seats: Vec<Seen> = Seat::all(4).map(|seat| Seen::new(record, seat)).collect();
        let all = events(record);
        // The expected beginning of the log, by seat; the tile of another's self-draw is hidden.
        let mut expected: [Vec<LogEvent>; 4] = Default::default();
        for (number, event) in all.iter().enumerate() {
            seats.iter_mut().for_each(|seen| assert!(seen.go_on()));
            let deltas = |deltas: &Option<Points>| {
                let deltas = deltas.as_ref().expect("these records say it");
                (
                    EVENT_DELTAS,
                    std::array::from_fn(|seat| deltas.as_slice()[seat]),
                )
            };
            match event {
                Event::StartKyoku(_) => {
                    for (seen, expected) in seats.iter().zip(&mut expected) {
                        let events = seen.log.events.events();
                        assert_eq!(events[..expected.len()], expected[..]);
                        assert_eq!(events[expected.len()].kind, EVENT_START_KYOKU);
                        expected.clear();
                    }
                }
                Event::Hora(hora) => {
                    won += 1;
                    let tile = won_on(&all[..number], hora);
                    let (actor, target) = (hora.actor.index() as u8, hora.target.index() as u8);
                    let (flags, deltas) = deltas(&hora.deltas);
                    for (seat, expected) in expected.iter_mut().enumerate() {
                        let shown = actor != target || usize::from(actor) == seat;
                        unseen_tiles += u32::from(!shown);
                        let tile = encode_tile(tile.filter(|_| shown));
                        let kind = EVENT_HORA;
                        expected.push(LogEvent {
                            kind,
                            actor,
                            target,
                            tile,
                            flags,
                            deltas,
                            ..LogEvent::EMPTY
                        });
                    }
                }
                Event::Ryukyoku {
                    deltas: told,
                    reason,
                    ..
                } => {
                    drawn += 1;
                    assert_eq!(*reason, Some(DrawReason::Exhaustive), "of these records");
                    let tenpai = seats.iter().map(|seen| !seen.table.waits().is_empty());
                    let tenpai = tenpai
                        .enumerate()
                        .fold(0, |set, (seat, is)| set | u8::from(is) << seat);
                    let (flags, deltas) = deltas(told);
                    let (kind, reason, noten) = (EVENT_RYUKYOKU, DRAW_EXHAUSTIVE, !tenpai & 0b1111);
                    let end = LogEvent {
                        kind,
                        reason,
                        tenpai,
                        noten,
                        flags,
                        deltas,
                        ..LogEvent::EMPTY
                    };
                    expected.iter_mut().for_each(|expected| expected.push(end));
                }
                _ => {}
            }
        }
    }
    assert!(
        won > 10 && drawn > 3 && unseen_tiles > 3,
        "{won} wins, {drawn} draws, {unseen_tiles} unseen"
    );
}

#[test]
fn the_end_of_a_game_leaves_nothing_for_the_next_one() {
    let mut seen = Seen::new(RECORDS[0], Seat::FIRST);
    while seen.go_on() {}
    assert_eq!(seen.log.events.events(), []);
}
