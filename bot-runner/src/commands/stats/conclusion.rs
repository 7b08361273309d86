//! The conclusion from the rows, in one sentence.

use lab_stats::Spread;

use super::super::table::{number_of, points};
use super::compare::{RowComparison, ShownDifference, table_of};
use super::group::{MIN_GAMES_OF_INTERVAL, StatsGroup};
use crate::cli::StatsBy;

/// The sentence; `None` without rows.
pub(super) fn conclusion(by: StatsBy, rows: &[StatsGroup], compared: &[RowComparison]) -> Option<String> {
    // For each policy and sort of table only the last version counts.
    let is_last = |&(index, pair): &(usize, &RowComparison)| {
        compared[index + 1..].iter().all(|later| later.table != pair.table || later.other != pair.one)
    };
    let verdict = |(_, pair): (usize, &RowComparison)| table_of(pair, compared) + &of_versions(pair);
    let verdicts: Vec<String> = compared.iter().enumerate().filter(is_last).map(verdict).collect();
    let said = if verdicts.is_empty() { of_tables(by, rows) } else { verdicts };
    (!said.is_empty()).then(|| format!("Conclusion: {}.", said.join("; ")))
}

/// What the rows of each sort of table say, in their order.
fn of_tables(by: StatsBy, rows: &[StatsGroup]) -> Vec<String> {
    let mut tables: Vec<Vec<&StatsGroup>> = Vec::new();
    for row in rows {
        match tables.iter_mut().find(|rows| rows[0].table == row.table) {
            Some(rows) => rows.push(row),
            None => tables.push(vec![row]),
        }
    }
    let several = tables.len() > 1;
    let said = |rows: Vec<&StatsGroup>| {
        let table = if several { format!("{}: ", rows[0].table) } else { String::new() };
        table + &of_rows(by, rows)
    };
    tables.into_iter().map(said).collect()
}

fn of_versions(pair: &RowComparison) -> String {
    let RowComparison { one, other, table, games, difference, needed } = pair;
    let fewest = games.0.min(games.1);
    match pair.shown() {
        ShownDifference::Better => format!("{one} is better than {other}; keep it"),
        ShownDifference::Worse => format!("{one} is worse than {other}; go back to {other}"),
        ShownDifference::Nothing => {
            let until = match needed.filter(|&needed| needed > fewest) {
                _ if difference.estimate.spread.is_none() && fewest < MIN_GAMES_OF_INTERVAL => {
                    format!("play until each has {MIN_GAMES_OF_INTERVAL} games or more")
                }
                Some(needed) => {
                    format!("play until each has about {} games", points(needed.min(i32::MAX as u64) as i32))
                }
                None if table.is_about_places() => "the difference is small, take either".to_owned(),
                None => "play more games".to_owned(),
            };
            format!("it is not clear whether {one} is better than {other}; {until}")
        }
    }
}

/// For rows of one sort of table that are not versions of each other: which has the best average, or for a single row,
/// whether it is better than the others at its tables.
fn of_rows(by: StatsBy, mut rows: Vec<&StatsGroup>) -> String {
    let table = &rows[0].table;
    rows.sort_by(|one, other| one.cost().total_cmp(&other.cost()));
    let interval = |row: &StatsGroup| row.measured()?.spread;
    // More points are better.
    let sign = if table.is_about_places() { 1.0 } else { -1.0 };
    let ends = |spread: Spread| if sign > 0.0 { (spread.low, spread.high) } else { (-spread.high, -spread.low) };
    let label = &rows[0].label;
    let against = by == StatsBy::Opponent;
    let who = if against { format!("against {label} your bot") } else { label.clone() };
    // To the decimals that the table shows.
    let shown =
        |row: &StatsGroup| Some((row.measured()?.mean * if sign > 0.0 { 1000.0 } else { 100.0 }).round() as i64);
    let best: Vec<String> =
        rows.iter().take_while(|row| shown(row) == shown(rows[0])).map(|row| row.label.clone()).collect();
    let best = match &best[..] {
        [_] => format!("{who} has the best average"),
        all if all.len() == rows.len() && against => "your bot has the same average against all".to_owned(),
        all if all.len() == rows.len() => "all have the same average".to_owned(),
        several if against => format!("your bot has its best average against {} alike", several.join(" and ")),
        several => format!("{} share the best average", several.join(" and ")),
    };
    match rows[..] {
        [row] => {
            let middle = if table.is_about_places() { f64::midpoint(1.0, table.players().into()) } else { 0.0 };
            match interval(row).map(ends) {
                None if row.games() >= MIN_GAMES_OF_INTERVAL => {
                    let games = number_of(row.games(), "game");
                    let of = if against { "against" } else { "of" };
                    let same_place =
                        table.is_about_places() && row.counts.places.iter().filter(|&&times| times > 0).count() == 1;
                    if same_place {
                        format!("all {games} {of} {label} ended in the same place")
                    } else {
                        format!("{games} {of} {label} have the same average at every table, which shows no difference")
                    }
                }
                None => format!("{} cannot show how well {who} does", number_of(row.games(), "game")),
                Some((_, high)) if high < middle => format!("{who} does better than the average of its tables"),
                Some((low, _)) if low > middle => format!("{who} does worse than the average of its tables"),
                Some(_) => format!("{who} does about as well as the average of its tables"),
            }
        }
        // Rows that are not versions of each other have met other opponents.
        [_, _, ..] if matches!(by, StatsBy::Version | StatsBy::Bot) => {
            format!("{best}; a tournament compares bots at the same tables")
        }
        _ => best,
    }
}

#[cfg(test)]
mod tests {
    use lab_stats::{Estimate, MeanDifference};
    use results::{ResultKind, ResultRow};

    use super::super::group::Groups;
    use super::super::report;
    use super::*;

    /// The result of a bot at a table, in a game of a tournament.
    fn result(game: &str, table: u64, (bot, opponent): (&str, &str), (place, score): (u8, i32)) -> ResultRow {
        let riichi = game == "riichi";
        ResultRow {
            key: format!("{table} {bot} {opponent} {place}"),
            kind: ResultKind::Tournament,
            arena: "tournament".to_owned(),
            shared: table.to_string(),
            shard: None,
            game: game.to_owned(),
            ended_ms: 0,
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
        }
    }

    fn grouped(by: StatsBy, results: &[ResultRow]) -> Vec<StatsGroup> {
        let mut groups = Groups::new(by);
        results.iter().for_each(|result| groups.add(result));
        groups.into_rows()
    }

    fn concluded(by: StatsBy, results: &[ResultRow]) -> String {
        conclusion(by, &grouped(by, results), &[]).expect("there are rows")
    }

    #[test]
    fn bots_that_share_an_average_share_the_conclusion() {
        let pair = |table, one, other| {
            [("r1", "r2", one), ("r2", "r1", other)]
                .map(|(bot, opponent, place)| result("riichi", table, (bot, opponent), (place, 0)))
        };
        let tied = [pair(1, 1, 4), pair(2, 4, 1)].concat();
        let others = "; a tournament compares bots at the same tables.";
        assert_eq!(concluded(StatsBy::Bot, &tied), format!("Conclusion: all have the same average{others}"));
        assert_eq!(concluded(StatsBy::Opponent, &tied), "Conclusion: your bot has the same average against all.");
        let third = [&tied[..], &[result("riichi", 3, ("r3", "r1"), (4, 0))]].concat();
        assert_eq!(concluded(StatsBy::Bot, &third), format!("Conclusion: r1 and r2 share the best average{others}"));
        let ahead = [pair(1, 1, 4), pair(2, 2, 1)].concat();
        assert_eq!(concluded(StatsBy::Bot, &ahead), format!("Conclusion: r1 has the best average{others}"));
    }

    #[test]
    fn games_that_differ_did_not_end_alike_though_tables_have_one_average() {
        let differing: Vec<ResultRow> = (0..12)
            .flat_map(|table| [(1, 200), (2, -200)].map(|end| result("doudizhu", table, ("d", "e"), end)))
            .collect();
        assert_eq!(
            concluded(StatsBy::Week, &differing),
            "Conclusion: 24 games of 1970-W01 have the same average at every table, which shows no difference."
        );
        let alike: Vec<ResultRow> = (0..12).map(|table| result("riichi", table, ("r", "s"), (2, 0))).collect();
        let same = "ended in the same place.";
        assert_eq!(concluded(StatsBy::Bot, &alike), format!("Conclusion: all 12 games of r {same}"));
        assert_eq!(concluded(StatsBy::Opponent, &alike), format!("Conclusion: all 12 games against s {same}"));
    }

    #[test]
    fn each_game_has_its_own_conclusion() {
        let rows = [result("riichi", 1, ("r", "s"), (1, 0)), result("doudizhu", 2, ("d", "e"), (1, 200))];
        assert_eq!(
            concluded(StatsBy::Week, &rows),
            "Conclusion: riichi with 4 players: 1 game cannot show how well 1970-W01 does; \
             doudizhu with 3 players: 1 game cannot show how well 1970-W01 does."
        );
    }

    /// A version compared with the one before, at the table of this result.
    fn pair(
        one: &str,
        other: &str,
        result: &ResultRow,
        (mean, half): (f64, f64),
        needed: Option<u64>,
    ) -> RowComparison {
        let spread = Spread { standard_error: half / 2.0, low: mean - half, high: mean + half };
        RowComparison {
            one: one.to_owned(),
            other: other.to_owned(),
            table: grouped(StatsBy::Version, std::slice::from_ref(result))[0].table.clone(),
            games: (24, 24),
            difference: MeanDifference { estimate: Estimate { mean, spread: Some(spread) }, chance: None },
            needed,
        }
    }

    #[test]
    fn a_difference_in_points_that_is_not_shown_asks_for_more_games() {
        let doudizhu = result("doudizhu", 1, ("d", "e"), (1, 200));
        for (needed, until) in [(Some(120), "play until each has about 120 games"), (None, "play more games")] {
            let compared = [pair("mine 2", "mine 1", &doudizhu, (11.2, 13.2), needed)];
            let said = conclusion(StatsBy::Version, &[], &compared).expect("a sentence");
            assert_eq!(said, format!("Conclusion: it is not clear whether mine 2 is better than mine 1; {until}."));
        }
    }

    #[test]
    fn the_same_labels_at_another_table_hide_no_verdict_and_each_names_its_table() {
        let four = result("riichi", 1, ("r", "s"), (1, 0));
        let three = ResultRow { players: 3, ..four.clone() };
        let compared =
            [pair("mine 2", "mine 1", &four, (-0.2, 0.1), None), pair("mine 3", "mine 2", &three, (0.2, 0.1), None)];
        assert_eq!(
            conclusion(StatsBy::Version, &[], &compared).expect("a sentence"),
            "Conclusion: riichi with 4 players: mine 2 is worse than mine 1; go back to mine 1; \
             riichi with 3 players: mine 3 is better than mine 2; keep it."
        );
    }

    #[test]
    fn counts_that_a_game_does_not_have_are_left_out() {
        let rows = grouped(StatsBy::Bot, &[result("doudizhu", 1, ("d", "e"), (1, 200))]);
        let table = report::table(StatsBy::Bot, &rows.iter().collect::<Vec<_>>()).to_string();
        let cells: Vec<&str> = table.split_whitespace().collect();
        assert!(cells.ends_with(&["100.0", "-", "-", "-", "-", "-"]), "{table}");
        let json = report::json(&rows, &[], &[], 0, 0);
        let row = &json["rows"][0];
        for key in ["deal_in_rate", "riichi_rate", "call_rate", "average_win", "average_loss"] {
            assert!(row[key].is_null() && row.get(key).is_some(), "{key}: {row}");
        }
        assert_eq!(row["win_rate"], 1.0);
        assert!(report::csv(&rows).contains(",2,1,1,,,,"), "{}", report::csv(&rows));
    }
}
