//! Outcomes of games, as text with the names of the players.

use policy_host::Measure;
use protocol::game_record::{GameOutcome, RecordedFan, WinningTile};

use super::model::{Position, SeatPosition, ShownEnd};
use super::words::{points_word, tile_word};

/// The name of a seat. Seats with the same name, such as those without a bot, are distinguished by
/// their numbers.
pub fn seat_name(names: &[String], seat: usize) -> String {
    match names.get(seat) {
        Some(name) if names.iter().filter(|other| *other == name).count() == 1 => name.clone(),
        Some(name) => format!("{name} (seat {seat})"),
        None => format!("seat {seat}"),
    }
}

/// The winner, the winning hand, and the seat that discarded the winning tile.
pub fn outcome_words(outcome: &GameOutcome, names: &[String]) -> String {
    told_outcome(outcome, names).0
}

/// The outcome in a sentence, and for the middle of the table: a headline, then each fan, or the
/// bid and the bombs.
pub(crate) fn told_outcome(outcome: &GameOutcome, names: &[String]) -> (String, ShownEnd) {
    let name = |seat: usize| seat_name(names, seat);
    match outcome {
        GameOutcome::Win {
            winner,
            from,
            with,
            tile,
            total,
            fan,
        } => {
            let tile = tile.parse().map_or_else(|_| tile.clone(), tile_word);
            let (its, how) = match with {
                WinningTile::Draw => ("its ", "own draw".to_owned()),
                WinningTile::Discard => ("", format!("discarded by {}", name(*from))),
                WinningTile::RobbedKong => ("", format!("from the kong of {}", name(*from))),
            };
            let figure = |RecordedFan { value, times, .. }: &RecordedFan| match times {
                1 => value.to_string(),
                times => format!("{value} \u{d7} {times}"),
            };
            let parts: Vec<(String, String)> = fan
                .iter()
                .map(|fan| (fan.name.clone(), figure(fan)))
                .collect();
            let each: Vec<String> = parts
                .iter()
                .map(|(name, figure)| format!("{name} {figure}"))
                .collect();
            let each = if each.is_empty() {
                String::new()
            } else {
                format!(": {}", each.join(", "))
            };
            // For a hidden hand only the sum is known, and for a hidden draw the tile is unknown.
            let on = if tile.is_empty() {
                String::new()
            } else {
                format!("{tile}, ")
            };
            let title = format!("{} wins", name(*winner));
            let words = format!("{title} with {total} fan on {on}{its}{how}{each}");
            let about = [format!("{total} fan"), tile, how]
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect();
            (
                words,
                ShownEnd {
                    title,
                    about,
                    parts,
                },
            )
        }
        GameOutcome::Drawn => {
            let (title, why) = ("Draw".to_owned(), "the wall is empty");
            (
                format!("drawn: {why}"),
                ShownEnd {
                    title,
                    about: vec![why.to_owned()],
                    parts: Vec::new(),
                },
            )
        }
        GameOutcome::Fault { seat } => {
            let (title, why) = (
                format!("{} is at fault", name(*seat)),
                "its answer was not legal",
            );
            (
                format!("{title}: {why}"),
                ShownEnd {
                    title,
                    about: vec![why.to_owned()],
                    parts: Vec::new(),
                },
            )
        }
        GameOutcome::LastCard {
            landlord,
            landlord_won,
            bid,
            bombs,
            spring,
            stake,
        } => {
            let (landlord, part) = (name(*landlord), |what: &str, figure: String| {
                Some((what.to_owned(), figure))
            });
            let (bid, stake) = (
                bid.map(|bid| bid.to_string()),
                stake.map(|stake| stake.to_string()),
            );
            let is_spring = spring.unwrap_or(false);
            let facts = [
                bid.as_ref().map(|bid| format!("bid {bid}")),
                match bombs {
                    None | Some(0) => None,
                    Some(1) => Some("1 bomb".to_owned()),
                    Some(bombs) => Some(format!("{bombs} bombs")),
                },
                is_spring.then(|| "spring".to_owned()),
                stake.as_ref().map(|stake| format!("stake {stake}")),
            ];
            let parts = [
                bid.and_then(|bid| part("bid", bid)),
                bombs.and_then(|bombs| part("bombs", bombs.to_string())),
                part("spring", "\u{d7} 2".to_owned()).filter(|_| is_spring),
                stake.and_then(|stake| part("stake", stake)),
            ];
            let facts: Vec<String> = facts.into_iter().flatten().collect();
            let told = if facts.is_empty() {
                String::new()
            } else {
                format!(": {}", facts.join(", "))
            };
            let (ends, winner) = if *landlord_won {
                ("wins", "landlord wins")
            } else {
                ("loses", "peasants win")
            };
            let (title, about) = (
                format!("The {winner}"),
                vec![format!("landlord: {landlord}")],
            );
            let parts = parts.into_iter().flatten().collect();
            (
                format!("the landlord, {landlord}, {ends}{told}"),
                ShownEnd {
                    title,
                    about,
                    parts,
                },
            )
        }
        GameOutcome::Other => {
            let shown = ShownEnd {
                title: "The game is over".to_owned(),
                ..ShownEnd::default()
            };
            ("the game is over".to_owned(), shown)
        }
    }
}

/// The payments of each seat; negative for a seat that paid.
pub fn payment_words(scores: &[f64], names: &[String]) -> String {
    let each = scores.iter().enumerate().map(|(seat, &score)| {
        let sign = if score.is_sign_negative() { "" } else { "+" };
        format!("{} {sign}{}", seat_name(names, seat), points_word(score))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The seats by their places, with their points.
pub(crate) fn standing_words(points: &[f64], names: &[String]) -> String {
    let place = |seat: usize| Measure::Places.place(points, seat);
    let mut seats: Vec<usize> = (0..points.len()).collect();
    seats.sort_by_key(|&seat| place(seat));
    let each = |seat: usize| {
        format!(
            "{}. {} {}",
            place(seat),
            seat_name(names, seat),
            points_word(points[seat])
        )
    };
    seats.into_iter().map(each).collect::<Vec<_>>().join(", ")
}

/// The result of a game at its last position: the seats with their points, or with their payments.
/// `None` if the position has neither.
pub fn result_words(last: &Position, names: &[String]) -> Option<String> {
    let of = |points: fn(&SeatPosition) -> Option<f64>| {
        last.seats.iter().map(points).collect::<Option<Vec<f64>>>()
    };
    match of(|seat| seat.score) {
        Some(points) => Some(standing_words(&points, names)),
        None => of(|seat| seat.change).map(|paid| payment_words(&paid, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_position_is_the_points_of_its_seats_or_their_payments() {
        let names = ["kuma", "neko", "tora"].map(str::to_owned);
        let position = |seats: [(Option<f64>, Option<f64>); 3]| {
            let seat = |(score, change)| SeatPosition {
                score,
                change,
                ..SeatPosition::default()
            };
            Position {
                seats: seats.map(seat).into(),
                ..Position::default()
            }
        };
        let words = |position: &Position| result_words(position, &names);
        let scores =
            position([25_000.0, -1_200.0, 81_200.0].map(|points| (Some(points), Some(0.0))));
        assert_eq!(
            words(&scores).as_deref(),
            Some("1. tora 81,200, 2. kuma 25,000, 3. neko -1,200")
        );
        let paid = position([0.0, 2_048.0, -2_048.0].map(|paid| (None, Some(paid))));
        assert_eq!(
            words(&paid).as_deref(),
            Some("kuma +0, neko +2,048, tora -2,048")
        );
        assert_eq!(words(&position([(None, None); 3])), None);
    }

    #[test]
    fn an_outcome_is_told_in_a_sentence_and_over_the_table() {
        let names = ["kuma", "neko", "tora"].map(str::to_owned);
        let fan = |times| {
            vec![RecordedFan {
                name: "Pung of Terminals".to_owned(),
                value: 1,
                times,
            }]
        };
        let win = |with, tile: &str, fan| {
            let tile = tile.to_owned();
            GameOutcome::Win {
                winner: 1,
                from: 2,
                with,
                tile,
                total: 9,
                fan,
            }
        };
        let last = |landlord_won, bid, bombs, spring, stake| {
            let landlord = 0;
            GameOutcome::LastCard {
                landlord,
                landlord_won,
                bid,
                bombs,
                spring,
                stake,
            }
        };
        for (outcome, words, shown) in [
            (
                win(WinningTile::Draw, "5m", fan(2)),
                "neko wins with 9 fan on 5 of characters, its own draw: Pung of Terminals 1 × 2",
                "neko wins|9 fan|5 of characters|own draw|Pung of Terminals=1 × 2",
            ),
            (
                win(WinningTile::Draw, "", vec![]),
                "neko wins with 9 fan on its own draw",
                "neko wins|9 fan|own draw",
            ),
            (
                win(WinningTile::Discard, "E", fan(1)),
                "neko wins with 9 fan on East, discarded by tora: Pung of Terminals 1",
                "neko wins|9 fan|East|discarded by tora|Pung of Terminals=1",
            ),
            (
                win(WinningTile::RobbedKong, "1s", vec![]),
                "neko wins with 9 fan on 1 of bamboo, from the kong of tora",
                "neko wins|9 fan|1 of bamboo|from the kong of tora",
            ),
            (
                GameOutcome::Drawn,
                "drawn: the wall is empty",
                "Draw|the wall is empty",
            ),
            (
                GameOutcome::Fault { seat: 2 },
                "tora is at fault: its answer was not legal",
                "tora is at fault|its answer was not legal",
            ),
            (
                last(true, Some(3), Some(2), Some(true), Some(24.0)),
                "the landlord, kuma, wins: bid 3, 2 bombs, spring, stake 24",
                "The landlord wins|landlord: kuma|bid=3|bombs=2|spring=× 2|stake=24",
            ),
            (
                last(false, None, Some(1), Some(false), None),
                "the landlord, kuma, loses: 1 bomb",
                "The peasants win|landlord: kuma|bombs=1",
            ),
            (
                last(false, Some(2), None, None, Some(4.0)),
                "the landlord, kuma, loses: bid 2, stake 4",
                "The peasants win|landlord: kuma|bid=2|stake=4",
            ),
            (GameOutcome::Other, "the game is over", "The game is over"),
        ] {
            let (
                told,
                ShownEnd {
                    title,
                    about,
                    parts,
                },
            ) = told_outcome(&outcome, &names);
            let parts = parts
                .iter()
                .map(|(what, figure)| format!("{what}={figure}"));
            let all: Vec<String> = std::iter::once(title).chain(about).chain(parts).collect();
            assert_eq!((told.as_str(), all.join("|").as_str()), (words, shown));
        }
    }
}
