//! What `play` says about each game, and what each game decides about its table.

use arena::{TimeControl, seats_of};
use doudizhu::{DouDizhuGame, DouDizhuRules};
use lab::game::{GameRules, NamedGame, PlayedGame};
use lab::replayed::ReplayedGame;
use mcr::McrGame;
use policy_host::GameKind;
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use riichi::{Event, EventOf, Rules, Seat, WholeGame};
use view::page::{Walk, outcome_words, payment_words, seat_name};

use super::super::table::points;
use crate::cli::PlayArgs;

/// A game that `play` plays.
pub(super) trait PlayableGame: NamedGame<Rules: Copy> + ReplayedGame {
    /// The time for each decision of a bot, in which it has to answer; without one, no clock
    /// decides anything, and Ctrl-C ends a policy that hangs.
    const TIME: Option<TimeControl> = None;
    /// The name of a seat without a policy, which takes the safe action.
    const SAFE_SEAT: &'static str = "safe";
    /// What the table is called.
    const PLACE: &'static str = "the embedded judge";

    fn rules(players: u8, _args: &PlayArgs) -> Self::Rules {
        Self::usual_rules(players)
    }

    /// The player on each seat. The first one gets the wanted seat in the first game.
    fn players_at(table: &SeatOrder, game: u64) -> Vec<usize> {
        let (seats, first) = (table.players, table.first_seat.unwrap_or(0));
        let player = |seat: usize| (seat + game as usize - 1 + seats - first) % seats;
        (0..seats).map(player).collect()
    }

    /// The lines about a game that has ended, of so many.
    fn words(ended: &EndedGame<'_, Self>, games: u64) -> Vec<String>;
}

/// The rules of a table of `play`.
pub(super) fn rules_of(game: GameKind, players: u8, args: &PlayArgs) -> GameRules {
    match game {
        GameKind::Riichi => GameRules::Riichi(<RiichiGame as PlayableGame>::rules(players, args)),
        GameKind::Mcr => GameRules::Mcr(McrGame::rules(players, args)),
        GameKind::DouDizhu => GameRules::DouDizhu(DouDizhuGame::rules(players, args)),
    }
}

/// What decides who sits where.
pub(super) struct SeatOrder {
    pub(super) seed: u64,
    pub(super) players: usize,
    /// The seat of the first player in the first game, if one is wanted.
    pub(super) first_seat: Option<usize>,
}

/// A game that has ended, as its lines tell of it.
pub(super) struct EndedGame<'a, G: WholeGame> {
    pub(super) number: u64,
    pub(super) names: &'a [String],
    pub(super) events: &'a [EventOf<G>],
    pub(super) result: &'a PlayedGame,
}

impl PlayableGame for RiichiGame {
    /// The free time and the bank of the public arena, for each decision anew.
    const TIME: Option<TimeControl> = Some(TimeControl::PUBLIC);
    const SAFE_SEAT: &'static str = "tsumogiri";
    const PLACE: &'static str = "the embedded arena";

    fn rules(players: u8, args: &PlayArgs) -> Rules {
        let length = args.length.map_or(Length::Half, Length::from);
        Self::usual_rules(players).with_length(length)
    }

    /// The seats of the local arena's games with this seed.
    fn players_at(table: &SeatOrder, game: u64) -> Vec<usize> {
        let seats = |game| seats_of(table.seed, game, table.players as u8);
        let mut order: Vec<usize> = (0..table.players).collect();
        if let Some(wanted) = table.first_seat.and_then(Seat::at)
            && let Some(place) = seats(1).into_iter().position(|seat| seat == wanted)
        {
            order.swap(0, place);
        }
        let mut at = vec![0; table.players];
        for (player, seat) in order.into_iter().zip(seats(game)) {
            at[seat.index()] = player;
        }
        at
    }

    /// A line for each round, and the places.
    fn words(ended: &EndedGame<'_, Self>, games: u64) -> Vec<String> {
        let names = ended.names;
        let mut lines = Vec::new();
        if games > 1 {
            lines.push(format!("\ngame {} of {games}", ended.number));
        }
        let mut walk = Walk::riichi(ended.events, names, true);
        let (mut round, mut ends) = (String::new(), Vec::new());
        for event in ended.events {
            let heard = walk.as_mut().is_some_and(|walk| walk.hear(event));
            match event {
                Event::StartKyoku(StartKyoku {
                    bakaze,
                    kyoku,
                    honba,
                    ..
                }) => {
                    round = format!("{} {kyoku}-{honba}", bakaze.name());
                    ends.clear();
                }
                // The winner, the yaku and the payments, as the game's page has them.
                Event::Hora(_) | Event::Ryukyoku { .. } if heard => {
                    let steps = walk
                        .iter()
                        .flat_map(|walk| walk.page().rounds.last())
                        .flat_map(|round| round.steps.last());
                    ends.extend(steps.map(|step| step.words.clone()));
                }
                Event::EndKyoku => lines.push(format!("{round:<10} {}", ends.join(" "))),
                _ => {}
            }
        }
        let end = &ended.result.end;
        let mut seats: Vec<usize> = (0..end.scores.len()).collect();
        seats.sort_by_key(|&seat| end.places[seat]);
        let places: Vec<String> = seats
            .into_iter()
            .map(|seat| {
                format!(
                    "{} {}",
                    seat_name(names, seat),
                    points(end.scores[seat] as i32)
                )
            })
            .collect();
        lines.push(format!("{:<10} {}", "places", places.join(", ")));
        lines
    }
}

impl PlayableGame for McrGame {
    fn words(ended: &EndedGame<'_, Self>, _: u64) -> Vec<String> {
        vec![line_of_hand(ended)]
    }
}

impl PlayableGame for DouDizhuGame {
    fn rules(players: u8, args: &PlayArgs) -> DouDizhuRules {
        match args.no_bidding {
            true => DouDizhuRules::FIXED,
            false => Self::usual_rules(players),
        }
    }

    fn words(ended: &EndedGame<'_, Self>, _: u64) -> Vec<String> {
        vec![line_of_hand(ended)]
    }
}

/// The line about a game of one hand.
fn line_of_hand<G: WholeGame>(ended: &EndedGame<'_, G>) -> String {
    let PlayedGame {
        end, first_fault, ..
    } = ended.result;
    let outcome = end
        .outcome
        .as_ref()
        .map_or_else(String::new, |outcome| outcome_words(outcome, ended.names));
    let mut line = format!(
        "game {}: {outcome}; {}",
        ended.number,
        payment_words(&end.scores, ended.names)
    );
    if let Some((seat, fault)) = first_fault {
        line.push_str(&format!(
            "; {}: {fault}, so the safe answer was played",
            seat_name(ended.names, *seat)
        ));
    }
    line
}
