//! The round of a bot on its page.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use super::texts::shown;
use crate::page::{
    OwnChoice, Page, PageAction, PageDecision, RecordPage, ShownRiichi, Walk, record_page,
};
use client::board::Board;
use client::bot::{LiveRound, RiichiRound, ShownMatch};
use client::decision_note::{DecisionNote, NotedAction, NotedDecision};
use doudizhu::DouDizhuAction;
use mcr::McrAction;
use policy_host::GameKind;
use riichi::{Action, Event, Seat, Table};

/// Maximum number of bots whose rounds are kept; beyond it the one with the oldest request is
/// dropped.
const MAX_KEPT: usize = 64;

/// The latest drawings of rounds, shared by all pages that show the same bot.
#[derive(Debug, Default)]
pub(super) struct DrawnRounds {
    kept: HashMap<String, FollowedRound>,
    /// The number of requests so far.
    asked: u64,
}

#[derive(Debug, Clone)]
pub(super) struct RoundOnPage {
    /// Increases with every change.
    pub(super) version: u64,
    /// JSON; `null` before the first deal.
    pub(super) json: Arc<str>,
}

impl Default for RoundOnPage {
    fn default() -> Self {
        Self {
            version: 0,
            json: "null".into(),
        }
    }
}

/// The published rounds of a bot, with the last drawn state.
#[derive(Debug, Default)]
struct FollowedRound {
    place: LiveRound,
    drawn: RoundOnPage,
    /// The number of its last request.
    asked: u64,
    riichi: FollowedRiichi,
    other: Option<FollowedMatch>,
}

impl DrawnRounds {
    /// With `all_hands`, the knowledge of all bots at the same table is shown.
    pub(super) fn of(&mut self, board: &Board, bot: &str, all_hands: bool) -> RoundOnPage {
        let Some(place) = board.round(bot) else {
            self.kept.remove(bot);
            return RoundOnPage::default();
        };
        self.asked += 1;
        let followed = self.kept.entry(bot.to_owned()).or_default();
        if !followed.place.is(&place) {
            *followed = FollowedRound {
                place,
                ..FollowedRound::default()
            };
        }
        followed.asked = self.asked;
        followed.catch_up(board, bot, all_hands);
        let drawn = followed.drawn.clone();
        if self.kept.len() > MAX_KEPT
            && let Some((oldest, _)) = self.kept.iter().min_by_key(|(_, followed)| followed.asked)
        {
            let oldest = oldest.clone();
            self.kept.remove(&oldest);
        }
        drawn
    }
}

impl FollowedRound {
    /// Applies and draws the updates.
    fn catch_up(&mut self, board: &Board, bot: &str, all_hands: bool) {
        let Self {
            place,
            drawn,
            other,
            riichi,
            ..
        } = self;
        // The bot cannot update while its round is being read, so the updates are copied.
        let read = place.read_newer(drawn.version, |round| {
            let news = match &round.other {
                Some(shown) => News::Match(MatchNews::of(shown, other.as_ref())),
                None => News::Riichi(round.riichi.clone()),
            };
            (round.version, news)
        });
        let Some((version, news)) = read else { return };
        let json = match news {
            News::Match(news) => {
                if news.begins {
                    *other = Some(FollowedMatch::new(record_page(news.game, true)));
                }
                other.as_mut().and_then(|other| {
                    let decision = news.decision.clone();
                    other.take(news);
                    other
                        .page
                        .page()
                        .map(|page| json(bot, page.clone(), decision))
                })
            }
            News::Riichi(mut own) => {
                let others = if all_hands {
                    others_at_the_board(board, bot)
                } else {
                    Vec::new()
                };
                open_hands(&mut own, &others);
                let RiichiRound {
                    seat,
                    mut names,
                    events,
                    joined,
                    decision,
                } = own;
                if names.is_empty() {
                    let name_at = |at: usize| match seat.filter(|seat| seat.index() == at) {
                        Some(_) => Some(bot),
                        None => others
                            .iter()
                            .find(|(_, other)| other.seat == Seat::at(at))
                            .map(|(name, _)| &**name),
                    };
                    names = (0..4)
                        .map(|at| name_at(at).map_or_else(|| format!("seat {at}"), str::to_owned))
                        .collect();
                }
                let names = names.iter().map(|name| shown(name)).collect();
                match joined {
                    Some(table) => riichi.join(&table, names),
                    None => riichi.follow(events, names),
                }
                let page = riichi.walk.as_ref().map(|walk| walk.page().clone());
                page.map(|page| {
                    json(
                        bot,
                        Page {
                            seat: seat.map(Seat::index),
                            ..page
                        },
                        decision,
                    )
                })
            }
        };
        *drawn = RoundOnPage {
            version,
            json: json.unwrap_or_else(|| "null".to_owned()).into(),
        };
    }
}

/// The updates of a bot's round.
enum News {
    Match(MatchNews),
    Riichi(RiichiRound),
}

struct MatchNews {
    game: GameKind,
    /// Whether it is another match than before.
    begins: bool,
    lines: Vec<String>,
    decision: Option<Arc<dyn NotedDecision>>,
}

impl MatchNews {
    fn of(shown: &ShownMatch, known: Option<&FollowedMatch>) -> Self {
        let known =
            known.filter(|known| !known.lines.is_empty() && shown.lines.starts_with(&known.lines));
        let lines = shown.lines[known.map_or(0, |known| known.lines.len())..].to_vec();
        Self {
            game: shown.game,
            begins: known.is_none(),
            lines,
            decision: shown.decision.clone(),
        }
    }
}

/// The other bots' knowledge of their rounds, with their names.
fn others_at_the_board(board: &Board, bot: &str) -> Vec<(String, RiichiRound)> {
    let others = board
        .status()
        .into_iter()
        .map(|other| other.bot)
        .filter(|other| other != bot);
    let known = |other: String| {
        let round = board
            .round(&other)?
            .read_newer(0, |round| round.riichi.clone())?;
        Some((other, round))
    };
    others.filter_map(known).collect()
}

/// Adds the knowledge of other bots at the same table. Tiles that none of them has seen yet stay
/// hidden.
fn open_hands(round: &mut RiichiRound, others: &[(String, RiichiRound)]) {
    let Some(seat) = round.seat else { return };
    for (_, other) in others {
        let Some(other_seat) = other.seat.filter(|&other| other != seat) else {
            continue;
        };
        for (event, known) in round.events.iter_mut().zip(&other.events) {
            let hidden = |event: &Event| event.masked_for(seat).masked_for(other_seat);
            if hidden(event) != hidden(known) {
                // Another table, or another round.
                break;
            }
            match (event, known) {
                (Event::StartKyoku(start), Event::StartKyoku(known)) => {
                    start.tehais[other_seat] = known.tehais[other_seat]
                }
                (Event::Tsumo { actor, tile }, Event::Tsumo { tile: known, .. })
                    if *actor == other_seat =>
                {
                    *tile = *known
                }
                _ => {}
            }
        }
    }
}

/// A round of riichi, up to the drawn step.
#[derive(Debug, Default)]
struct FollowedRiichi {
    names: Vec<String>,
    events: Vec<Event>,
    walk: Option<Walk<ShownRiichi>>,
}

impl FollowedRiichi {
    /// Applies the new events. If the earlier ones have changed, it starts again.
    fn follow(&mut self, events: Vec<Event>, names: Vec<String>) {
        if self.walk.is_none() || self.names != names || !events.starts_with(&self.events) {
            self.walk = Walk::riichi(&events, &names, true);
            self.events.clear();
        }
        if let Some(walk) = &mut self.walk {
            events[self.events.len()..].iter().for_each(|event| {
                walk.hear(event);
            });
        }
        (self.events, self.names) = (events, names);
    }

    /// Shows a round whose deal was not seen.
    fn join(&mut self, table: &Table, names: Vec<String>) {
        self.walk = Some(Walk::joined(table, &names));
        // The next deal starts again.
        (self.events, self.names) = (Vec::new(), Vec::new());
    }
}

/// A match of another game, up to the drawn step.
#[derive(Debug)]
struct FollowedMatch {
    lines: Vec<String>,
    page: Box<dyn RecordPage>,
}

impl FollowedMatch {
    const fn new(page: Box<dyn RecordPage>) -> Self {
        Self {
            lines: Vec::new(),
            page,
        }
    }

    fn take(&mut self, MatchNews { lines, .. }: MatchNews) {
        lines.iter().for_each(|line| self.page.line(line));
        self.page.show();
        self.lines.extend(lines);
    }
}

/// A page with the bot's last decision as JSON, with its texts cleaned for display.
fn json(bot: &str, page: Page, decision: Option<Arc<dyn NotedDecision>>) -> String {
    let texts = |texts: &[String]| texts.iter().map(|text| shown(text)).collect();
    let mut decisions: Vec<PageDecision> = decision
        .iter()
        .filter_map(|note| page_decision(&**note))
        .collect();
    for own in decisions
        .iter_mut()
        .filter_map(|decision| decision.own.as_mut())
    {
        own.policy = shown(&own.policy);
        own.reason = shown(&own.reason);
        own.safe_answer = own.safe_answer.as_deref().map(shown);
    }
    let (names, warnings) = (texts(&page.names), texts(&page.warnings));
    Page {
        title: bot.to_owned(),
        names,
        warnings,
        decisions,
        ..page
    }
    .json()
}

/// A decision in the only position of a page.
fn page_decision(note: &dyn NotedDecision) -> Option<PageDecision> {
    fn of<A: PageAction + NotedAction>(note: &dyn Any) -> Option<PageDecision> {
        let note = note.downcast_ref::<DecisionNote<A>>()?;
        Some(PageDecision {
            done: note.chosen,
            seat: note.seat.index(),
            legal: note.legal.iter().map(PageAction::shown).collect(),
            own: Some(OwnChoice::of(note.recorded(), false)),
            ..PageDecision::default()
        })
    }
    of::<Action>(note)
        .or_else(|| of::<McrAction>(note))
        .or_else(|| of::<DouDizhuAction>(note))
}

#[cfg(test)]
mod tests {
    use riichi::game::RiichiGame;
    use riichi::{Rules, Seat};
    use serde_json::Value;

    use super::*;
    use client::bot::{LiveFigures, MatchPublisher};
    use client::decision_note::DecisionOutcome;
    use policy_host::{Origin, PolicyIdentity};

    /// A deal and its first draw, from the point of view of each seat.
    fn seen(seed: u64) -> Vec<(String, RiichiRound)> {
        let game = RiichiGame::new(Rules::TENHOU_HALF, seed);
        let begin = game
            .events()
            .iter()
            .position(|event| matches!(event, Event::StartKyoku(_)))
            .expect("a deal");
        let from = |seat: Seat| {
            let events = game.events()[begin..]
                .iter()
                .map(|event| event.masked_for(seat))
                .collect();
            (
                format!("bot {seat}"),
                RiichiRound {
                    seat: Some(seat),
                    events,
                    ..RiichiRound::default()
                },
            )
        };
        Seat::all(4).map(from).collect()
    }

    fn open(round: &RiichiRound) -> usize {
        let Event::StartKyoku(start) = round.events[0] else {
            panic!("{:?}", round.events)
        };
        start
            .tehais
            .iter()
            .filter(|(_, hand)| hand.is_some())
            .count()
    }

    #[test]
    fn bots_of_one_table_open_their_hands_to_a_page_that_shows_all() {
        let rounds = seen(7);
        let mut round = rounds[1].1.clone();
        open_hands(&mut round, &rounds);
        assert_eq!(open(&round), 4);
        assert!(
            matches!(round.events[1], Event::Tsumo { tile: Some(_), .. }),
            "{:?}",
            round.events
        );
    }

    #[test]
    fn a_bot_at_another_table_adds_nothing() {
        let mut round = seen(7).swap_remove(0).1;
        open_hands(&mut round, &seen(8));
        assert_eq!(open(&round), 1);
    }

    #[test]
    fn the_last_decision_is_shown_in_the_words_of_its_game() {
        fn note<A>(action: A) -> DecisionNote<A> {
            let (id, version) = ("mine".to_owned(), "1".to_owned());
            let policy = PolicyIdentity {
                id,
                version,
                library: Origin::Builtin,
                hash: None,
            };
            let outcome = DecisionOutcome::SafeAnswer("it slept".to_owned());
            let (legal, policy) = (vec![action], Arc::new(policy));
            DecisionNote {
                game: 0,
                decision: 3,
                seat: Seat::FIRST,
                legal,
                chosen: Some(0),
                policy,
                outcome,
            }
        }
        let (riichi, mcr, doudizhu) = (
            note(Action::None),
            note(McrAction::Win),
            note(DouDizhuAction::Bid(2)),
        );
        let notes: [(&dyn NotedDecision, &str); 3] =
            [(&riichi, "pass"), (&mcr, "win"), (&doudizhu, "bid 2")];
        for (note, words) in notes {
            let decision = page_decision(note).expect("each game is known");
            assert_eq!(
                (decision.legal[0].words.as_str(), decision.done),
                (words, Some(0))
            );
            assert_eq!(
                decision.own.and_then(|own| own.safe_answer).as_deref(),
                Some("it slept")
            );
        }
    }

    #[test]
    fn a_round_in_progress_is_not_replayed_from_its_deal() {
        let RiichiRound { events, .. } = seen(7).swap_remove(0).1;
        let names = vec!["kuma".to_owned()];
        let mut followed = FollowedRiichi::default();
        followed.follow(events[..1].to_vec(), names.clone());
        let mark = ("mark".to_owned(), String::new());
        followed
            .walk
            .as_mut()
            .expect("it is dealt")
            .page_mut()
            .facts
            .push(mark.clone());
        followed.follow(events.clone(), names.clone());
        let page = followed.walk.as_ref().expect("it is dealt").page();
        assert_eq!(page.facts, [mark], "it is the same walk");
        assert!(
            page.rounds[0].steps[0].words.starts_with("kuma draws"),
            "{page:?}"
        );
        // A hidden tile that is now known, or another round, starts again.
        followed.follow(seen(8).swap_remove(0).1.events, names);
        assert!(
            followed
                .walk
                .as_ref()
                .expect("it is dealt")
                .page()
                .facts
                .is_empty()
        );
    }

    #[test]
    fn a_round_that_was_joined_after_its_deal_is_drawn_by_its_table() {
        let RiichiRound { events, .. } = seen(7).swap_remove(0).1;
        let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
        events
            .iter()
            .for_each(|event| table.apply(event).expect("it can happen"));
        let mut followed = FollowedRiichi::default();
        followed.join(&table, vec!["kuma".to_owned()]);
        let page = followed.walk.as_ref().expect("it is shown").page();
        let step = &page.rounds[0].steps[0];
        assert_eq!(step.words, "The bot joined in the middle of this round.");
        assert!(
            !step.position.seats[0].hand.contains('?')
                && step.position.seats[1].hand.starts_with('?')
        );
        // The next round is followed from its deal.
        followed.follow(seen(8).swap_remove(0).1.events, vec!["kuma".to_owned()]);
        assert!(
            followed.walk.as_ref().expect("it is dealt").page().rounds[0]
                .name
                .starts_with("East 1")
        );
    }

    /// The deal of a game of Dou Dizhu in which seat 0 is the landlord, and its first play.
    const DEAL: &str =
        r#"{"type":"deal","hands":[[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],null,null]}"#;
    const LANDLORD: &str = r#"{"type":"landlord","actor":0,"public":[17,18,19]}"#;
    const PLAY: &str = r#"{"type":"play","actor":0,"cards":[0]}"#;

    fn tell(publisher: &mut MatchPublisher, lines: &[&str]) {
        publisher.told(
            0,
            GameKind::DouDizhu,
            lines.iter().map(|line| (*line).to_owned()),
        );
        publisher.show();
    }

    /// The last step in the drawn round of a bot.
    fn last(rounds: &mut DrawnRounds, board: &Board, bot: &str) -> String {
        let data: Value = serde_json::from_str(&rounds.of(board, bot, false).json).expect("JSON");
        assert_eq!(
            data["rounds"][0]["steps"].as_array().map(Vec::len),
            Some(1),
            "only how it is now: {data}"
        );
        data["rounds"][0]["steps"][0][0]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    fn enter(board: &Board, bot: &str) -> MatchPublisher {
        let place = LiveRound::default();
        let mut live = LiveFigures::default();
        live.round = Some(place.clone());
        board.enter(bot, "ws://127.0.0.1:1".to_owned(), live);
        MatchPublisher::new(Some(place))
    }

    #[test]
    fn a_match_is_followed_line_by_line_and_another_in_its_place_from_its_deal() {
        let (board, mut rounds) = (Board::default(), DrawnRounds::default());
        let mut publisher = enter(&board, "kuma");
        tell(&mut publisher, &[DEAL]);
        assert_eq!(last(&mut rounds, &board, "kuma"), "The deal.");
        tell(&mut publisher, &[LANDLORD, PLAY]);
        assert_eq!(last(&mut rounds, &board, "kuma"), "seat 0 plays 3.");
        let known = rounds.kept["kuma"]
            .other
            .as_ref()
            .map(|followed| followed.lines.len());
        assert_eq!(known, Some(3));
        // The bot starts again, with a match that has the same number.
        let mut publisher = MatchPublisher::new(board.round("kuma"));
        tell(&mut publisher, &[&DEAL.replace("[0,1,", "[20,1,")]);
        assert_eq!(last(&mut rounds, &board, "kuma"), "The deal.");
    }

    #[test]
    fn only_the_rounds_of_the_latest_viewed_bots_are_kept() {
        let (board, mut rounds) = (Board::default(), DrawnRounds::default());
        let names: Vec<String> = (0..MAX_KEPT + 10)
            .map(|number| format!("bot-{number}"))
            .collect();
        for name in &names {
            tell(&mut enter(&board, name), &[DEAL]);
            assert_eq!(last(&mut rounds, &board, name), "The deal.");
            // This round is requested all the time.
            assert_eq!(last(&mut rounds, &board, &names[0]), "The deal.");
        }
        let mut kept: Vec<&String> = rounds.kept.keys().collect();
        kept.sort_by_key(|name| names.iter().position(|other| other == *name));
        let expected: Vec<&String> = names[..1].iter().chain(&names[11..]).collect();
        assert_eq!(kept, expected);
    }
}
