//! The records of a site, put together by games: several bots at one table write a record each.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use client::records::Manifest;
use policy_host::Measure;
use time::OffsetDateTime;
use view::page::{IndexedGame, IndexedRecord, Page, Position, Round, result_words, seat_name};

use super::source::SeatPolicies;
use crate::commands::records::began;

/// A record with a page.
pub(super) struct PagedRecord {
    file: String,
    began: OffsetDateTime,
    /// The policies that decided, by seats.
    policies: SeatPolicies,
    names: Vec<String>,
    /// What the manifest of a ranked game says.
    ranked: Option<RankedSeat>,
    /// The title of the page.
    title: String,
    /// What all seats of the table saw of each round that is whole.
    rounds: Vec<u64>,
    /// The last position, if the game ended.
    last: Option<Position>,
    result: String,
}

/// The seat of a bot in a ranked game.
struct RankedSeat {
    bot: String,
    arena: String,
    game: String,
    seat: usize,
    place: Option<u8>,
    ended: Option<OffsetDateTime>,
}

impl PagedRecord {
    pub(super) fn new(
        page: &Page,
        policies: &SeatPolicies,
        file: String,
        began: OffsetDateTime,
        manifest: Option<&Manifest>,
    ) -> Self {
        let fact = |wanted: &str| {
            page.facts
                .iter()
                .find(|(what, _)| what == wanted)
                .map(|(_, text)| text.clone())
        };
        let mut policies = policies.clone();
        // Of a record whose decisions are not kept, its manifest says who decided.
        if let Some(manifest) = manifest
            && let Some(noted) = fact("policy")
        {
            let noted = noted.split(" (").next().unwrap_or_default().to_owned();
            policies.entry(manifest.seat).or_insert_with(|| vec![noted]);
        }
        let outcome = page
            .rounds
            .last()
            .map(|round| round.outcome.clone())
            .filter(|outcome| !outcome.is_empty());
        let last = page.rounds.last().and_then(|round| round.steps.last());
        Self {
            file,
            began,
            policies,
            names: page.names.clone(),
            ranked: manifest.map(RankedSeat::of),
            title: page.title.clone(),
            rounds: page.rounds.iter().filter_map(round_seen).collect(),
            last: last
                .map(|step| step.position.clone())
                .filter(|_| fact("result").is_some()),
            result: fact("result")
                .or(outcome)
                .unwrap_or_else(|| "not finished".to_owned()),
        }
    }

    /// The bots of a game of `play` by their places: its record is that of all seats.
    fn of_each_bot(self) -> Vec<IndexedRecord> {
        let points: Option<Vec<f64>> = self
            .last
            .iter()
            .flat_map(|last| &last.seats)
            .map(|seat| seat.score)
            .collect::<Option<_>>();
        let place = |seat: usize| {
            let points = points.as_ref().filter(|points| seat < points.len())?;
            Some(Measure::Places.place(points, seat))
        };
        let mut bots: Vec<(usize, Vec<String>)> = self.policies.into_iter().collect();
        bots.sort_by_key(|&(seat, _)| place(seat));
        let indexed = |(seat, policies): (usize, Vec<String>)| IndexedRecord {
            title: seat_name(&self.names, seat),
            file: self.file.clone(),
            policy: policies.join(", "),
            place: place(seat),
            players: self.names.len(),
        };
        bots.into_iter().map(indexed).collect()
    }

    /// Whether both are records of one game: of two seats of one arena at the same time, which saw
    /// the same rounds.
    fn is_of_game_of(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (&self.ranked, &other.ranked) else {
            return false;
        };
        let until = |record: &Self, seat: &RankedSeat| seat.ended.unwrap_or(record.began);
        let overlap = self.began <= until(other, others) && other.began <= until(self, own);
        let common = self.rounds.len().min(other.rounds.len());
        overlap
            && (&own.arena, &own.game, self.names.len())
                == (&others.arena, &others.game, other.names.len())
            && own.seat != others.seat
            && common > 0
            && self.rounds[..common] == other.rounds[..common]
    }
}

impl RankedSeat {
    fn of(manifest: &Manifest) -> Self {
        Self {
            bot: manifest.about.bot.clone(),
            arena: manifest.about.arena.clone(),
            game: manifest.about.game.clone(),
            seat: manifest.seat,
            place: manifest.played.as_ref().and_then(|played| played.place),
            ended: manifest.ended,
        }
    }
}

/// What all seats saw of a round, as a number; `None` of a round that did not end.
fn round_seen(round: &Round) -> Option<u64> {
    let position = &round
        .steps
        .last()
        .filter(|step| step.position.over)?
        .position;
    let mut seen = DefaultHasher::new();
    (&round.name, &position.dora, &position.bottom).hash(&mut seen);
    for seat in &position.seats {
        (&seat.river, seat.bid, seat.score.map(f64::to_bits)).hash(&mut seen);
    }
    Some(seen.finish())
}

/// The games of records, in the order of their first records.
pub(super) fn games_of(records: Vec<PagedRecord>) -> Vec<IndexedGame> {
    let mut tables: Vec<Vec<PagedRecord>> = Vec::new();
    // Tables by their first rounds.
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    for record in records {
        let like: &mut Vec<usize> = match record.rounds.first() {
            Some(&first) => known.entry(first).or_default(),
            None => &mut Vec::new(),
        };
        let same = like.iter().find(|&&table| {
            tables[table]
                .iter()
                .all(|other| record.is_of_game_of(other))
        });
        match same {
            Some(&table) => tables[table].push(record),
            None => {
                like.push(tables.len());
                tables.push(vec![record]);
            }
        }
    }
    tables.into_iter().map(game_of).collect()
}

/// A game with these records, which are not empty.
fn game_of(mut records: Vec<PagedRecord>) -> IndexedGame {
    let place = |record: &PagedRecord| {
        record
            .ranked
            .as_ref()
            .and_then(|seat| seat.place)
            .unwrap_or(u8::MAX)
    };
    records.sort_by_key(place);
    let began_first = records
        .iter()
        .map(|record| record.began)
        .min()
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let arena = records[0]
        .ranked
        .as_ref()
        .map(|seat| seat.arena.clone())
        .unwrap_or_default();
    let result = if records.len() > 1 {
        result_of_all(&records)
    } else {
        records[0].result.clone()
    };
    let is_alone = records.len() == 1;
    let indexed = |record: PagedRecord| {
        if record.ranked.is_none() && !record.policies.is_empty() {
            return record.of_each_bot();
        }
        let title = match record.ranked.as_ref() {
            // Those with whom it played have their own records, or are in the result.
            Some(seat) if !is_alone => seat.bot.clone(),
            Some(seat) => record
                .title
                .strip_suffix(&format!(" at {}", seat.arena))
                .unwrap_or(&record.title)
                .to_owned(),
            None => record.title.clone(),
        };
        vec![IndexedRecord {
            title,
            policy: record
                .policies
                .values()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
                .join(", "),
            file: record.file,
            place: record.ranked.and_then(|seat| seat.place),
            players: record.names.len(),
        }]
    };
    IndexedGame {
        date: began(began_first),
        arena,
        records: records.into_iter().flat_map(indexed).collect(),
        result,
    }
}

/// The result of a game with the names of all bots that have a record of it.
fn result_of_all(records: &[PagedRecord]) -> String {
    let Some((whole, last)) = records
        .iter()
        .find_map(|record| Some((record, record.last.as_ref()?)))
    else {
        return records[0].result.clone();
    };
    let mut names = whole.names.clone();
    for seat in records.iter().filter_map(|record| record.ranked.as_ref()) {
        if let Some(name) = names.get_mut(seat.seat) {
            name.clone_from(&seat.bot);
        }
    }
    result_words(last, &names).unwrap_or_else(|| whole.result.clone())
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use view::page::SeatPosition;

    use super::*;

    /// The record of a bot that began and ended at these seconds, and saw these rounds.
    fn record(seat: usize, seconds: [i64; 2], rounds: &[u64]) -> PagedRecord {
        let [began, ended] =
            seconds.map(|seconds| OffsetDateTime::UNIX_EPOCH + Duration::seconds(seconds));
        let bot = ["kuma", "tora", "shika", "usagi"][seat].to_owned();
        let mut names: Vec<String> = (0..4).map(|seat| format!("seat {seat}")).collect();
        names[seat].clone_from(&bot);
        let points = |points: f64| SeatPosition {
            score: Some(points),
            ..SeatPosition::default()
        };
        let seats = [20_000.0, 41_000.0, 30_000.0, 9_000.0].map(points).into();
        PagedRecord {
            file: format!("{bot}.html"),
            began,
            policies: SeatPolicies::new(),
            title: format!("{bot} at ws://arena"),
            names,
            ranked: Some(RankedSeat {
                bot,
                arena: "ws://arena".to_owned(),
                game: "riichi".to_owned(),
                seat,
                place: Some([3, 1, 2, 4][seat]),
                ended: Some(ended),
            }),
            rounds: rounds.to_vec(),
            last: Some(Position {
                seats,
                ..Position::default()
            }),
            result: "by one".to_owned(),
        }
    }

    /// The titles of each game's records.
    fn titles(records: Vec<PagedRecord>) -> Vec<Vec<String>> {
        let titles = |game: IndexedGame| {
            game.records
                .into_iter()
                .map(|record| record.title)
                .collect()
        };
        games_of(records).into_iter().map(titles).collect()
    }

    #[test]
    fn records_of_one_table_are_one_game_by_places_with_all_names_in_the_result() {
        // That of shika was cut after the first round.
        let cut = PagedRecord {
            last: None,
            ..record(2, [11, 20], &[7])
        };
        let records = vec![
            record(0, [10, 60], &[7, 8]),
            cut,
            record(1, [10, 61], &[7, 8]),
        ];
        let games = games_of(records);
        let [game] = &games[..] else {
            panic!("{games:?}")
        };
        let shown: Vec<_> = game
            .records
            .iter()
            .map(|record| (&*record.title, record.place, record.players))
            .collect();
        assert_eq!(
            shown,
            [
                ("tora", Some(1), 4),
                ("shika", Some(2), 4),
                ("kuma", Some(3), 4)
            ]
        );
        assert_eq!(
            game.result,
            "1. tora 41,000, 2. shika 30,000, 3. kuma 20,000, 4. seat 3 9,000"
        );
        assert_eq!(
            (&*game.arena, &*game.date),
            ("ws://arena", "1970-01-01 00:00:10")
        );
    }

    #[test]
    fn records_that_differ_in_seat_and_time_or_in_a_round_are_of_several_games() {
        let first = || record(0, [10, 60], &[7, 8]);
        let elsewhere = PagedRecord {
            ranked: record(1, [10, 60], &[]).ranked.map(|seat| RankedSeat {
                arena: "ws://other".to_owned(),
                ..seat
            }),
            ..record(1, [10, 60], &[7, 8])
        };
        let unranked = PagedRecord {
            ranked: None,
            ..record(1, [10, 60], &[7, 8])
        };
        for (what, other) in [
            ("the same seat", record(0, [10, 60], &[7, 8])),
            ("another time", record(1, [70, 90], &[7, 8])),
            ("another round", record(1, [10, 60], &[7, 9])),
            ("no whole round", record(1, [10, 60], &[])),
            ("another arena", elsewhere),
            ("no manifest", unranked),
        ] {
            assert_eq!(titles(vec![first(), other]).len(), 2, "{what}");
        }
        assert_eq!(titles(vec![first()]), [["kuma"]]);
        assert_eq!(games_of(vec![first()])[0].result, "by one");
    }
}
