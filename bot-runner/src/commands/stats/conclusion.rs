//! The conclusion from the rows, in one sentence.

use lab_stats::{Comparison, MIN_GAMES_OF_INTERVAL, Spread, Verdict};

use super::super::table::{number_of, thousands};
use super::super::verdict::{BetterWords, JudgedPair, PairStanding, between};
use super::compare::{
    ComparedRows, MAX_COMPARED, MissingInterval, RowComparison, adjusted_words, table_of,
};
use super::group::StatsGroup;
use crate::cli::StatsBy;

/// The sentence; `None` without rows.
pub(super) fn conclusion(
    by: StatsBy,
    rows: &[StatsGroup],
    compared: &ComparedRows,
) -> Option<String> {
    let mut said = Vec::new();
    let mut from = 0;
    for of_table in rows.chunk_by(|one, other| one.table == other.table) {
        let places = from..from + of_table.len();
        from = places.end;
        let table = table_of(&of_table[0].table, rows);
        let pairs: Vec<&RowComparison> = compared
            .pairs
            .iter()
            .filter(|pair| places.contains(&pair.rows.0))
            .collect();
        match pairs.first() {
            Some(pair) if pair.is_of_versions => {
                // For each policy only the last version counts.
                let is_last =
                    |pair: &&&RowComparison| pairs.iter().all(|later| later.rows.1 != pair.rows.0);
                said.extend(
                    pairs
                        .iter()
                        .filter(is_last)
                        .map(|pair| table.clone() + &of_versions(pair)),
                );
            }
            Some(_) => said.push(table + &of_pairs(by, of_table, &pairs)),
            None => {
                let alone = compared.alone.iter().find(|(row, _)| places.contains(row));
                said.push(table + &of_row(by, of_table, alone.map(|(_, judged)| *judged)));
            }
        }
    }
    (!said.is_empty()).then(|| format!("Conclusion: {}.", said.join("; ")))
}

fn of_versions(pair: &RowComparison) -> String {
    let RowComparison {
        one, other, judged, ..
    } = pair;
    match judged.verdict {
        Verdict::Better => format!("{one} is better than {other}; keep it"),
        Verdict::Worse => format!("{one} is worse than {other}; go back to {other}"),
        Verdict::NotShown | Verdict::NoInterval => {
            format!(
                "{}; {}",
                BetterWords::Strength.open(one, other),
                until_shown(pair)
            )
        }
    }
}

/// What may show a difference that is not shown.
fn until_shown(pair: &RowComparison) -> String {
    match (pair.interval(), pair.needed()) {
        (Err(missing), _) => pair.until_interval(missing),
        (Ok(_), Some(needed)) => format!("play until each has about {} games", thousands(needed)),
        (Ok(Spread { low, high, .. }), None) => between([low, high], pair.unit()),
    }
}

/// What the comparisons of each row with each other say.
fn of_pairs(by: StatsBy, rows: &[StatsGroup], pairs: &[&RowComparison]) -> String {
    let Some(first) = pairs.first() else {
        return String::new();
    };
    let names: Vec<&str> = rows
        .iter()
        .map(|row| row.label.as_str())
        .filter(|label| {
            pairs
                .iter()
                .any(|pair| pair.one == **label || pair.other == **label)
        })
        .collect();
    let judged: Vec<JudgedPair<'_>> = pairs
        .iter()
        .map(|pair| JudgedPair {
            one: &pair.one,
            other: &pair.other,
            verdict: pair.judged.verdict,
        })
        .collect();
    let PairStanding {
        text,
        best,
        is_open,
    } = PairStanding::of(&names, &judged, first.words);
    let among = if rows.len() > MAX_COMPARED && names.len() == MAX_COMPARED {
        format!("of the {MAX_COMPARED} with the most games, ")
    } else {
        String::new()
    };
    let until = match (by, pairs) {
        _ if best.is_some() || !is_open => String::new(),
        // No games can be added to a week that is over.
        (StatsBy::Week, _) | (_, []) => String::new(),
        (_, [pair]) => format!("; {}", until_shown(pair)),
        (_, [pair, ..]) => match pair.interval() {
            Err(missing) if pairs.iter().all(|pair| pair.interval() == Err(missing)) => {
                match missing {
                    MissingInterval::SameGames => {
                        "; all were met in the same games, so nothing tells them apart".to_owned()
                    }
                    missing => format!("; {}", pair.until_interval(missing)),
                }
            }
            _ if pairs.iter().any(|pair| pair.may_be_shown()) => "; play more games".to_owned(),
            _ => String::new(),
        },
    };
    let others = match (by, first.words) {
        // Rows that are not versions of each other have met other opponents.
        (StatsBy::Version | StatsBy::Bot, BetterWords::Results) => {
            "; a tournament compares bots at the same tables"
        }
        _ => "",
    };
    format!("{among}{text}{until}{others}")
}

/// What is said of rows that are compared with no other.
fn of_row(by: StatsBy, rows: &[StatsGroup], judged: Option<Comparison>) -> String {
    let row = &rows[0];
    if row.is_of_tournaments {
        return match by {
            StatsBy::Version | StatsBy::Bot => "no two of these rows met in a tournament".to_owned(),
            StatsBy::Opponent | StatsBy::Week => {
                "averages over different tables of a tournament are not compared; --by bot compares bots that met"
                    .to_owned()
            }
        };
    }
    let label = &row.label;
    let against = by == StatsBy::Opponent;
    let who = if against {
        format!("against {label} your bot")
    } else {
        label.clone()
    };
    let games = number_of(row.games(), "game");
    let adjusted = adjusted_words(row.is_compared_without_luck());
    match judged.map(|judged| judged.verdict) {
        Some(Verdict::Better) => {
            format!("{who} does better than the average of its tables{adjusted}")
        }
        Some(Verdict::Worse) => {
            format!("{who} does worse than the average of its tables{adjusted}")
        }
        Some(Verdict::NotShown) => {
            format!(
                "it is not shown whether {who} does better or worse than the average of its tables{adjusted}"
            )
        }
        _ if row.games() < MIN_GAMES_OF_INTERVAL => {
            format!("{games} cannot show how well {who} does")
        }
        // Of no game are the points known.
        None => format!("games whose points are not known cannot show how well {who} does"),
        Some(Verdict::NoInterval)
            if judged.is_some_and(|judged| judged.advantage.basis.groups < 2) =>
        {
            format!("{games} at one table cannot show how well {who} does")
        }
        Some(Verdict::NoInterval) => {
            let of = if against { "against" } else { "of" };
            format!(
                "{games} {of} {label} have the average of their tables at every table, which shows no difference"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use results::{ResultKind, ResultRow, SeatLuck};

    use super::super::compare::comparisons;
    use super::super::group::{Groups, StatsRows};
    use super::super::report;
    use super::*;

    /// The result of a bot at a table, in a ranked game.
    fn result(
        game: &str,
        table: u64,
        (bot, opponent): (&str, &str),
        (place, score): (u8, i32),
    ) -> ResultRow {
        let riichi = game == "riichi";
        ResultRow {
            key: format!("{table} {bot} {opponent} {place}"),
            kind: ResultKind::Ladder,
            arena: "arena".to_owned(),
            shared: table.to_string(),
            shard: None,
            game: game.to_owned(),
            ended_ms: table as i64,
            bot: bot.to_owned(),
            policy: bot.to_owned(),
            version: "1".to_owned(),
            content: None,
            mixed: false,
            players: if riichi { 4 } else { 3 },
            seat: 0,
            place,
            scores: vec![score, 0, 0],
            rounds: 1,
            wins: u32::from(place == 1),
            deal_ins: 0,
            riichi: 0,
            called: 0,
            won: 0,
            lost: 0,
            opponents: vec![opponent.to_owned()],
            trouble: None,
            luck: None,
        }
    }

    fn concluded(by: StatsBy, results: &[ResultRow]) -> String {
        super::super::concluded(by, results).expect("there are rows")
    }

    fn grouped(by: StatsBy, results: &[ResultRow]) -> StatsRows {
        let mut groups = Groups::new(by);
        results.iter().for_each(|result| groups.add(result, None));
        groups.into_rows()
    }

    /// So many games of a bot, at tables of its own, with these places in turn.
    fn games(bot: &str, from: u64, places: &[u8], count: u64) -> Vec<ResultRow> {
        let place = |table: u64| places[(table % places.len() as u64) as usize];
        (from..from + count)
            .map(|table| result("riichi", table, (bot, "tora"), (place(table), 0)))
            .collect()
    }

    const ALIKE: &str = "every table had the same result, so play against other opponents";
    const OTHERS: &str = "; a tournament compares bots at the same tables.";

    #[test]
    fn no_bot_is_named_best_by_an_average_whose_difference_is_not_shown() {
        let two = [
            games("r1", 0, &[1, 2, 3, 4], 20),
            games("r2", 100, &[1, 2, 2, 4], 20),
        ]
        .concat();
        let said = concluded(StatsBy::Bot, &two);
        assert!(
            said.starts_with(
                "Conclusion: it is not shown which of r1 and r2 does better; play until"
            ),
            "{said}"
        );
        assert!(said.ends_with(OTHERS), "{said}");
        let said = concluded(
            StatsBy::Opponent,
            &[games("r1", 0, &[1, 2], 12), games("r2", 100, &[1, 2], 12)].concat(),
        );
        assert_eq!(
            said,
            "Conclusion: your bot does better than the average of its tables."
                .replace("your bot", "against tora your bot")
        );
        let few = [games("r1", 0, &[1], 5), games("r2", 100, &[4], 12)].concat();
        let until = "; play until each has 10 games or more";
        let not = "Conclusion: it is not shown which of r2 and r1 does better";
        assert_eq!(
            concluded(StatsBy::Bot, &few),
            format!("{not}{until}{OTHERS}")
        );
        let three = [two, games("r3", 200, &[1, 2, 3, 3], 20)].concat();
        let said = concluded(StatsBy::Bot, &three);
        let none = "Conclusion: no difference is shown between any two of these 3; play more games";
        assert_eq!(said, format!("{none}{OTHERS}"));
    }

    #[test]
    fn a_bot_that_is_shown_to_do_better_is_named() {
        let two = [
            games("r1", 0, &[1, 1, 2], 60),
            games("r2", 100, &[3, 4, 4], 60),
        ]
        .concat();
        assert_eq!(
            concluded(StatsBy::Bot, &two),
            format!("Conclusion: r1 does better than r2{OTHERS}")
        );
        let three = [two, games("r3", 200, &[4, 4, 3], 60)].concat();
        let said = concluded(StatsBy::Bot, &three);
        assert_eq!(
            said,
            format!("Conclusion: r1 does better than each of the others{OTHERS}")
        );
    }

    /// The same games with their luck: without it, the bot's places are within a half of this one.
    fn without_luck(place: f64, games: Vec<ResultRow>) -> Vec<ResultRow> {
        let luck = |game: &ResultRow| {
            let left = place + [-0.5, 0.5][game.ended_ms as usize % 2];
            SeatLuck {
                thousandths: ((f64::from(game.place) - left) * 1000.0).round() as i32,
                version: "riichi-4 1".to_owned(),
            }
        };
        let with_luck = |game: ResultRow| ResultRow {
            luck: Some(luck(&game)),
            ..game
        };
        games.into_iter().map(with_luck).collect()
    }

    #[test]
    fn the_adjusted_difference_counts_where_the_luck_of_every_game_is_known() {
        let places = &[1, 2, 3, 4];
        let mut both = [
            without_luck(2.3, games("r1", 0, places, 40)),
            without_luck(2.7, games("r2", 100, places, 40)),
        ]
        .concat();
        let said = |results: &[ResultRow]| {
            let rows = grouped(StatsBy::Bot, results);
            let compared = comparisons(StatsBy::Bot, &rows);
            (
                compared.pairs[0].sentence(),
                conclusion(StatsBy::Bot, &rows.rows, &compared).expect("there are rows"),
            )
        };
        let (sentence, conclusion) = said(&both);
        assert!(
            sentence.starts_with(
                "r1 places better than r2: by 0.400 places on average, adjusted for luck (95 % interval 0.1"
            ),
            "{sentence}"
        );
        assert_eq!(
            conclusion,
            format!("Conclusion: r1 does better than r2{OTHERS}")
        );
        both[0].luck = None;
        let (sentence, conclusion) = said(&both);
        assert!(
            sentence.starts_with("It is not shown which of r1 and r2 does better: the first places +0.000 better (95 %"),
            "{sentence}"
        );
        assert!(conclusion.contains("it is not shown"), "{conclusion}");
    }

    #[test]
    fn games_that_all_ended_alike_show_no_difference() {
        let won = [games("r1", 0, &[1], 12), games("r2", 100, &[1], 12)].concat();
        assert_eq!(
            concluded(StatsBy::Bot, &won),
            format!("Conclusion: it is not shown which of r1 and r2 does better; {ALIKE}{OTHERS}")
        );
        let three = [&won[..], &games("r3", 200, &[1], 12)].concat();
        assert_eq!(
            concluded(StatsBy::Bot, &three),
            format!(
                "Conclusion: no difference is shown between any two of these 3; {ALIKE}{OTHERS}"
            )
        );
        let versions: Vec<ResultRow> = won
            .iter()
            .map(|game| ResultRow {
                policy: "mine".to_owned(),
                version: game.bot.clone(),
                ..game.clone()
            })
            .collect();
        let said =
            format!("Conclusion: it is not shown which of mine r2 and mine r1 is better; {ALIKE}.");
        assert_eq!(concluded(StatsBy::Version, &versions), said);
    }

    #[test]
    fn one_row_is_compared_with_the_average_of_its_tables() {
        let differing: Vec<ResultRow> = (0..12)
            .flat_map(|table| {
                [(1, 200), (2, -200)].map(|end| result("doudizhu", table, ("d", "e"), end))
            })
            .collect();
        assert_eq!(
            concluded(StatsBy::Week, &differing),
            "Conclusion: 24 games of 1970-W01 have the average of their tables at every table, which shows no difference."
        );
        let seconds = games("r", 0, &[2], 12);
        let better = "Conclusion: r does better than the average of its tables.";
        assert_eq!(concluded(StatsBy::Bot, &seconds), better);
        let said = concluded(StatsBy::Bot, &games("r", 0, &[1, 4, 3], 12));
        assert_eq!(
            said,
            "Conclusion: it is not shown whether r does better or worse than the average of its tables."
        );
        let adjusted = without_luck(2.3, games("r", 0, &[1, 4, 3], 60));
        let better = "Conclusion: r does better than the average of its tables, adjusted for luck.";
        assert_eq!(concluded(StatsBy::Bot, &adjusted), better);
    }

    #[test]
    fn each_game_has_its_own_conclusion() {
        let rows = [
            result("riichi", 1, ("r", "s"), (1, 0)),
            result("doudizhu", 2, ("d", "e"), (1, 200)),
        ];
        assert_eq!(
            concluded(StatsBy::Week, &rows),
            "Conclusion: riichi with 4 players: 1 game cannot show how well 1970-W01 does; \
             doudizhu with 3 players: 1 game cannot show how well 1970-W01 does."
        );
    }

    #[test]
    fn bots_of_a_tournament_are_compared_where_they_met() {
        // A gauntlet: the new one meets a strong and a weak opponent. Over all tables the strong
        // one is ahead of both.
        let table = |wall: u64, one: (&str, u8), other: (&str, u8)| {
            [(one, other), (other, one)].map(|((bot, place), (opponent, _))| ResultRow {
                kind: ResultKind::Tournament,
                ..result("riichi", wall, (bot, opponent), (place, 0))
            })
        };
        let luck = |wall: u64| {
            if wall.is_multiple_of(4) {
                (2, 3)
            } else {
                (1, 4)
            }
        };
        let walls: Vec<ResultRow> = (0..40)
            .flat_map(|wall| {
                let (first, last) = luck(wall);
                [
                    table(wall, ("new", last), ("strong", first)),
                    table(wall, ("new", first), ("weak", last)),
                ]
                .concat()
            })
            .collect();
        let said = "Conclusion: new is worse than strong; new is better than weak.";
        assert_eq!(concluded(StatsBy::Bot, &walls), said);
        let all = grouped(StatsBy::Bot, &walls);
        assert_eq!(
            comparisons(StatsBy::Bot, &all).pairs.len(),
            2,
            "the others did not meet"
        );
        let weeks = concluded(StatsBy::Week, &walls);
        assert!(
            weeks.ends_with("are not compared; --by bot compares bots that met."),
            "{weeks}"
        );
        let even: Vec<ResultRow> = (0..20)
            .flat_map(|wall| table(wall, ("new", 2), ("old", 2)))
            .collect();
        let said = "Conclusion: it is not shown which of new and old is better; no wall shows a difference; play more games.";
        assert_eq!(concluded(StatsBy::Bot, &even), said);
    }

    #[test]
    fn one_wall_of_a_tournament_has_no_interval_whatever_its_games_show() {
        let met = |bot: &str, opponent: &str, places: &[u8]| -> Vec<ResultRow> {
            let of = |(seating, &place): (usize, &u8)| ResultRow {
                kind: ResultKind::Tournament,
                key: format!("{bot} {seating}"),
                ..result("riichi", 1, (bot, opponent), (place, 0))
            };
            places.iter().enumerate().map(of).collect()
        };
        let all = [
            met("a", "b", &[1, 4].repeat(6)),
            met("b", "a", &[[2, 3].repeat(5), vec![2, 4]].concat()),
        ]
        .concat();
        let open = "it is not shown which of a and b is better";
        let said = concluded(StatsBy::Bot, &all);
        assert_eq!(
            said,
            format!("Conclusion: {open}; one wall has no interval; play more games.")
        );
        let sentence = comparisons(StatsBy::Bot, &grouped(StatsBy::Bot, &all)).pairs[0].sentence();
        assert_eq!(
            sentence,
            "It is not shown which of a and b is better: one wall has no interval."
        );
    }

    #[test]
    fn games_at_one_table_are_not_called_alike() {
        let at_one = |bot: &str| -> Vec<ResultRow> {
            let all = games(bot, 0, &[1, 2, 3], 12).into_iter();
            all.map(|game| ResultRow {
                shared: "one".to_owned(),
                ..game
            })
            .collect()
        };
        let said = concluded(StatsBy::Bot, &at_one("r1"));
        assert_eq!(
            said,
            "Conclusion: 12 games at one table cannot show how well r1 does."
        );
        let two = [at_one("r1"), games("r2", 100, &[1, 2, 3, 4], 12)].concat();
        let open = "it is not shown which of r1 and r2 does better";
        let said = concluded(StatsBy::Bot, &two);
        assert_eq!(
            said,
            format!(
                "Conclusion: {open}; games at one table have no interval; play more games{OTHERS}"
            )
        );
        let sentence = comparisons(StatsBy::Bot, &grouped(StatsBy::Bot, &two)).pairs[0].sentence();
        assert_eq!(
            sentence,
            "It is not shown which of r1 and r2 does better: games at one table have no interval."
        );
    }

    #[test]
    fn opponents_of_the_same_games_are_not_told_apart() {
        let met = |names: &[&str], count: u64| -> Vec<ResultRow> {
            let opponents: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let all = games("r1", 0, &[1, 2, 3, 4], count).into_iter();
            all.map(|game| ResultRow {
                opponents: opponents.clone(),
                ..game
            })
            .collect()
        };
        for count in [4, 16] {
            let said = concluded(StatsBy::Opponent, &met(&["a", "b", "c"], count));
            let none = "no difference is shown between any two of these 3";
            let same = "all were met in the same games, so nothing tells them apart";
            assert_eq!(said, format!("Conclusion: {none}; {same}."));
            let two = met(&["a", "b"], count);
            let open = "it is not shown against which of a and b your bot does better";
            let same = "both were met in the same games, so nothing tells them apart";
            assert_eq!(
                concluded(StatsBy::Opponent, &two),
                format!("Conclusion: {open}; {same}.")
            );
            let sentence = comparisons(StatsBy::Opponent, &grouped(StatsBy::Opponent, &two)).pairs
                [0]
            .sentence();
            assert_eq!(sentence, capitalized(&format!("{open}: {same}.")));
        }
        // The same results in other games.
        let one: Vec<ResultRow> = games("r1", 0, &[1], 12);
        let other = games("r1", 100, &[1], 12).into_iter();
        let other = other.map(|game| ResultRow {
            opponents: vec!["neko".to_owned()],
            ..game
        });
        let said = concluded(
            StatsBy::Opponent,
            &one.into_iter().chain(other).collect::<Vec<_>>(),
        );
        assert!(said.ends_with(&format!("; {ALIKE}.")), "{said}");
    }

    fn capitalized(sentence: &str) -> String {
        format!("{}{}", sentence[..1].to_uppercase(), &sentence[1..])
    }

    #[test]
    fn games_without_known_points_are_not_called_average() {
        let row = |table: u64| ResultRow {
            scores: Vec::new(),
            ..result("doudizhu", table, ("d", "e"), (1, 0))
        };
        let said = concluded(StatsBy::Bot, &(0..12).map(row).collect::<Vec<_>>());
        assert_eq!(
            said,
            "Conclusion: games whose points are not known cannot show how well d does."
        );
    }

    #[test]
    fn more_games_are_asked_for_only_where_they_may_show_a_difference() {
        let bots: Vec<ResultRow> = (0..3)
            .flat_map(|bot| games(&format!("r{bot}"), bot * 10_000, &[1, 2, 3, 4], 4_000))
            .collect();
        let said = concluded(StatsBy::Bot, &bots);
        assert_eq!(
            said,
            format!("Conclusion: no difference is shown between any two of these 3{OTHERS}")
        );
    }

    #[test]
    fn a_difference_in_points_that_is_not_shown_asks_for_more_games() {
        let version = |version: &str, from: u64, wins: &[bool]| -> Vec<ResultRow> {
            let games = wins.iter().zip(from..);
            games
                .map(|(&won, table)| ResultRow {
                    policy: "mine".to_owned(),
                    version: version.to_owned(),
                    ..result(
                        "doudizhu",
                        table,
                        ("d", "e"),
                        if won { (1, 200) } else { (2, -100) },
                    )
                })
                .collect()
        };
        let (few, many) = (
            [true, false, false, false].repeat(3),
            [true, false, true, false].repeat(3),
        );
        let said = concluded(
            StatsBy::Version,
            &[version("1", 0, &few), version("2", 100, &many)].concat(),
        );
        let until = "Conclusion: it is not shown which of mine 2 and mine 1 is better; play until each has about ";
        assert!(said.starts_with(until), "{said}");
        let same = concluded(
            StatsBy::Version,
            &[version("1", 0, &many), version("2", 100, &many)].concat(),
        );
        assert!(
            same.contains("is better; the difference is between -") && same.ends_with(" points."),
            "{same}"
        );
    }

    #[test]
    fn where_a_tenth_of_a_place_would_have_been_shown_no_more_games_are_asked_for() {
        let version = |version: &str, from: u64| -> Vec<ResultRow> {
            let all = games("mine", from, &[1, 2, 3, 4], 4_000).into_iter();
            all.map(|game| ResultRow {
                version: version.to_owned(),
                ..game
            })
            .collect()
        };
        let all = [version("1", 0), version("2", 10_000)].concat();
        let said = concluded(StatsBy::Version, &all);
        assert!(
            said.contains("is better; the difference is between -0.0")
                && said.ends_with(" places."),
            "{said}"
        );
        let sentence =
            comparisons(StatsBy::Version, &grouped(StatsBy::Version, &all)).pairs[0].sentence();
        assert!(!sentence.contains("takes about"), "{sentence}");
    }

    #[test]
    fn no_more_games_are_asked_for_of_weeks_that_are_over() {
        const WEEK_MS: i64 = 7 * 86_400_000;
        let week = |week: i64, from: u64| -> Vec<ResultRow> {
            let all = games("mine", from, &[1, 2, 3, 4], 20).into_iter();
            all.map(|game| ResultRow {
                ended_ms: week * WEEK_MS,
                ..game
            })
            .collect()
        };
        let two = [week(1, 0), week(2, 100)].concat();
        let said =
            "Conclusion: it is not shown in which of 1970-W02 and 1970-W03 your bot does better.";
        assert_eq!(concluded(StatsBy::Week, &two), said);
        let three = concluded(StatsBy::Week, &[two, week(3, 200)].concat());
        assert_eq!(
            three,
            "Conclusion: no difference is shown between any two of these 3."
        );
    }

    #[test]
    fn the_same_labels_at_another_table_hide_no_verdict_and_each_names_its_table() {
        let version = |version: &str, players: u8, from: u64, places: &[u8]| -> Vec<ResultRow> {
            games("mine", from, places, 60)
                .into_iter()
                .map(|game| ResultRow {
                    version: version.to_owned(),
                    players,
                    ..game
                })
                .collect()
        };
        let all = [
            version("1", 4, 0, &[1, 2]),
            version("2", 4, 100, &[3, 4, 4]),
            version("2", 3, 200, &[3, 3, 2]),
            version("3", 3, 300, &[1, 1, 2]),
        ];
        assert_eq!(
            concluded(StatsBy::Version, &all.concat()),
            "Conclusion: riichi with 4 players: mine 2 is worse than mine 1; go back to mine 1; \
             riichi with 3 players: mine 3 is better than mine 2; keep it."
        );
    }

    #[test]
    fn counts_that_a_game_does_not_have_are_left_out() {
        let rows = grouped(StatsBy::Bot, &[result("doudizhu", 1, ("d", "e"), (1, 200))]).rows;
        let table = report::table(StatsBy::Bot, &rows.iter().collect::<Vec<_>>()).to_string();
        let cells: Vec<&str> = table.split_whitespace().collect();
        assert!(
            cells.ends_with(&["100.0", "-", "-", "-", "-", "-"]),
            "{table}"
        );
        let json = report::json(&rows, &ComparedRows::default(), &[], &[], (0, 0));
        let row = &json["rows"][0];
        for key in [
            "deal_in_rate",
            "riichi_rate",
            "call_rate",
            "average_win",
            "average_loss",
        ] {
            assert!(row[key].is_null() && row.get(key).is_some(), "{key}: {row}");
        }
        assert_eq!(row["win_rate"], 1.0);
        assert!(
            report::csv(&rows).contains(",2,1,1,,,,"),
            "{}",
            report::csv(&rows)
        );
    }
}
