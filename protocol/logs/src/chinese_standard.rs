//! The text form in which the Chinese Standard mahjong competitions at Botzone publish games: an
//! event a line.
//!
//! `Match ID`, `Wind 0` to `3`, `Player 0 Deal` with 13 tiles of Botzone's names, then `Draw`,
//! `Play`, `Chi` with the middle tile, `Peng`, `Gang`, `AnGang`, `BuGang` and `Hu` with a tile. A
//! claim that another claim overruled follows as `Ignore Player 3 Chi W2`. A game ends with `Huang`
//! or with `Fan`, and with `Score` and four numbers.

use mcr::McrEvent;
use protocol::botzone::parse_tile_name;
use protocol::game_record::{LineForm, McrRecordForm, RecordEnd};
use riichi::{Counts, Kind, Seat, Wind};
use serde_json::json;

use crate::form::LogForm;
use crate::game::{LogFacts, LogGame, ReadResult, malformed};

/// Players of a game.
const PLAYERS: u8 = 4;
/// Tiles a player is dealt.
const HAND_SIZE: usize = 13;
/// The first word of a game.
const MATCH: &str = "Match";

pub(crate) fn is_competition(text: &str) -> bool {
    let mut words = text.lines().next().unwrap_or_default().split_whitespace();
    words.next() == Some(MATCH)
        && text
            .lines()
            .nth(1)
            .is_some_and(|line| line.trim_start().starts_with("Wind "))
}

/// The games of a log.
pub(crate) fn read(text: &str) -> ReadResult<Vec<LogGame>> {
    let mut games = Vec::new();
    let mut game: Option<CompetitionGame> = None;
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first() else { continue };
        if *first == MATCH {
            games.extend(game.take().map(CompetitionGame::game));
            game = Some(CompetitionGame::default());
            continue;
        }
        let Some(game) = &mut game else { continue };
        game.take(&words)
            .map_err(|why| why.within(format!("line {}", number + 1)))?;
    }
    games.extend(game.map(CompetitionGame::game));
    Ok(games)
}

#[derive(Debug, Default)]
struct CompetitionGame {
    wind: Option<Wind>,
    deals: Vec<Option<McrEvent>>,
    lines: Vec<String>,
    /// A pung, or a chow around this tile, whose discard follows.
    claim: Option<(Seat, Option<Kind>)>,
    end: Option<RecordEnd>,
}

impl CompetitionGame {
    fn take(&mut self, words: &[&str]) -> ReadResult<()> {
        match words {
            ["Wind", number, ..] => {
                let number: Option<usize> = number.parse().ok();
                self.wind = number.and_then(|number| Wind::ALL.get(number).copied());
                match self.wind {
                    Some(_) => Ok(()),
                    None => malformed("Wind", "it is none: 0 to 3 are"),
                }
            }
            ["Player", player, act, rest @ ..] => {
                let seat = player.parse().ok().and_then(Seat::new);
                let Some(seat) = seat.filter(|seat| seat.index() < PLAYERS.into()) else {
                    return malformed("Player", format!("{player:?} is none: 0 to 3 are"));
                };
                self.act(seat, act, rest)
            }
            ["Score", scores @ ..] => {
                let scores: Vec<f64> = scores
                    .iter()
                    .filter_map(|score| score.parse().ok())
                    .collect();
                if scores.len() != usize::from(PLAYERS)
                    || !scores.iter().all(|score| score.is_finite())
                {
                    return malformed("Score", "four numbers follow");
                }
                self.end = Some(RecordEnd {
                    scores,
                    outcome: None,
                });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn act(&mut self, seat: Seat, act: &str, rest: &[&str]) -> ReadResult<()> {
        if act == "Deal" {
            return self.dealt(seat, rest);
        }
        let tile = || {
            let name = rest.first().copied().unwrap_or_default();
            parse_tile_name(name)
                .ok_or(())
                .or_else(|()| malformed(act, format!("{name:?} is no tile: W1 to W9, T1 to T9, B1 to B9, F1 to F4 and J1 to J3 are")))
        };
        let event = match act {
            "Draw" => McrEvent::Drawn {
                seat,
                tile: Some(tile()?),
            },
            "Play" => {
                let tile = tile()?;
                match self.claim.take() {
                    None => McrEvent::Discarded { seat, tile },
                    Some((claimed, _)) if claimed != seat => {
                        return malformed("Play", format!("seat {claimed} has to discard"));
                    }
                    Some((seat, None)) => McrEvent::PungClaimed {
                        seat,
                        discard: tile,
                    },
                    Some((seat, Some(middle))) => McrEvent::ChowClaimed {
                        seat,
                        middle,
                        discard: tile,
                    },
                }
            }
            "Chi" => {
                self.claim = Some((seat, Some(tile()?)));
                return Ok(());
            }
            "Peng" => {
                self.claim = Some((seat, None));
                return Ok(());
            }
            "Gang" => McrEvent::KongClaimed { seat },
            "AnGang" => McrEvent::ConcealedKong {
                seat,
                tile: Some(tile()?),
            },
            "BuGang" => McrEvent::KongAdded {
                seat,
                tile: tile()?,
            },
            // The scores show who has won.
            "Hu" => return Ok(()),
            _ => return malformed("Player", format!("{act:?} is no act that is known")),
        };
        self.lines.extend(McrRecordForm::event_line(&event));
        Ok(())
    }

    fn dealt(&mut self, seat: Seat, names: &[&str]) -> ReadResult<()> {
        let tiles: Option<Vec<Kind>> = names.iter().map(|name| parse_tile_name(name)).collect();
        let Some(tiles) = tiles.filter(|tiles| tiles.len() == HAND_SIZE) else {
            return malformed("Deal", "it has not 13 tiles");
        };
        let mut hand = Counts::default();
        for kind in tiles {
            hand[kind] += 1;
        }
        self.deals.resize(PLAYERS.into(), None);
        self.deals[seat.index()] = Some(McrEvent::Dealt {
            prevalent_wind: self.wind.unwrap_or(Wind::East),
            hand,
            flowers: [0; 4],
        });
        Ok(())
    }

    fn game(self) -> LogGame {
        let facts = LogFacts::unknown(LogForm::ChineseStandard);
        let mut start =
            json!({"type": "start_game", "game": "chinese-standard", "id": null, "names": []});
        start["log"] = json!({"form": facts.form.to_string()});
        let deal = (!self.deals.is_empty())
            .then(|| McrRecordForm::deal_line(&self.deals))
            .flatten();
        let lines = std::iter::once(start.to_string())
            .chain(deal)
            .chain(self.lines)
            .chain(self.end.as_ref().map(RecordEnd::line))
            .collect();
        LogGame { facts, lines }
    }
}
