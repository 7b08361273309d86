//! The round of a bot on its page.

use std::collections::HashMap;
use std::sync::Arc;

use super::texts::shown;
use crate::page::{Page, PageDecision, RecordPage, record_page};
use crate::person::PersonSeat;
use client::board::Board;
use client::bot::{LiveRound, ShownMatch};
use client::decision_note::DecisionNote;
use policy_host::GameKind;
use protocol::game_record::RecordStart;

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
    game: Option<FollowedGame>,
}

impl DrawnRounds {
    pub(super) fn of(&mut self, board: &Board, bot: &str) -> RoundOnPage {
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
        followed.catch_up(bot);
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
    fn catch_up(&mut self, bot: &str) {
        // The bot cannot update while its round is being read, so the updates are copied.
        let Some((version, published)) = self.place.newer_than(self.drawn.version) else {
            return;
        };
        let json = published.and_then(|own| {
            let lines = lines_on_page(bot, &own, &[]);
            let known = self.game.take();
            let followed = known.filter(|known| known.goes_on(own.game, &lines));
            let followed = followed.unwrap_or_else(|| FollowedGame::new(own.game));
            let followed = self.game.insert(followed);
            followed.take(lines);
            let page = followed.page.page()?.clone();
            Some(json(bot, page, &*followed.page, own.decision))
        });
        self.drawn = RoundOnPage {
            version,
            json: json.unwrap_or_else(|| "null".to_owned()).into(),
        };
    }
}

/// The lines of a bot's match, with names that may be shown. `others` are the known players of
/// other seats.
fn lines_on_page(bot: &str, own: &ShownMatch, others: &[(usize, String)]) -> Vec<Arc<str>> {
    let mut lines = own.lines.clone();
    let first = lines.first().and_then(|line| RecordStart::read(line));
    let Some(mut start) = first else {
        return lines;
    };
    if start.names.is_empty() {
        let name_at = |at: usize| match start.id {
            Some(own) if own == at => bot.to_owned(),
            _ => {
                let other = others.iter().find(|(seat, _)| *seat == at);
                other.map_or_else(|| format!("seat {at}"), |(_, name)| name.clone())
            }
        };
        start.names = (0..4).map(name_at).collect();
    }
    start.names = start.names.iter().map(|name| shown(name)).collect();
    lines[0] = start.line().into();
    lines
}

/// The rounds of a person's seat, for one open page.
#[derive(Debug)]
pub(super) struct SeatRounds {
    seat: PersonSeat,
    version: u64,
    game: Option<FollowedGame>,
}

impl SeatRounds {
    pub(super) const fn new(seat: PersonSeat) -> Self {
        Self {
            seat,
            version: 0,
            game: None,
        }
    }

    /// What is new, as JSON: how the round ended that was drawn before, and the current one.
    pub(super) fn news(&mut self) -> Vec<String> {
        let Some((version, published)) = self.seat.round().newer_than(self.version) else {
            return Vec::new();
        };
        self.version = version;
        let Some(own) = published else {
            return Vec::new();
        };
        let mut before = own.clone();
        before.lines = std::mem::take(&mut before.previous);
        let others = self.seat.names();
        let name = self.seat.name();
        let ended = lines_on_page(name, &before, &others);
        let lines = lines_on_page(name, &own, &others);
        let mut news = Vec::new();
        let draw = |game: &FollowedGame| {
            let page = game.page.page()?.clone();
            Some(json(name, page, &*game.page, None))
        };
        let known = self.game.take().filter(|known| known.game == own.game);
        let known = known.and_then(|mut known| {
            if known.goes_on(own.game, &lines) {
                return Some(known);
            }
            if known.goes_on(own.game, &ended) && known.lines.len() < ended.len() {
                known.take(ended);
                news.extend(draw(&known));
            }
            None
        });
        let followed = self
            .game
            .insert(known.unwrap_or_else(|| FollowedGame::new(own.game)));
        followed.take(lines);
        news.extend(draw(followed));
        news
    }
}

/// A match or round, up to the drawn step.
#[derive(Debug)]
struct FollowedGame {
    game: GameKind,
    lines: Vec<Arc<str>>,
    page: Box<dyn RecordPage>,
}

impl FollowedGame {
    fn new(game: GameKind) -> Self {
        Self {
            game,
            lines: Vec::new(),
            page: record_page(game, true),
        }
    }

    /// Whether these lines go on with those that are drawn.
    fn goes_on(&self, game: GameKind, lines: &[Arc<str>]) -> bool {
        self.game == game && !self.lines.is_empty() && lines.starts_with(&self.lines)
    }

    fn take(&mut self, lines: Vec<Arc<str>>) {
        for line in &lines[self.lines.len()..] {
            self.page.line(line);
        }
        self.page.show();
        self.lines = lines;
    }
}

/// A page with the bot's last decision as JSON, with its texts cleaned for display.
fn json(
    bot: &str,
    page: Page,
    record: &dyn RecordPage,
    decision: Option<Arc<DecisionNote>>,
) -> String {
    let texts = |texts: &[String]| texts.iter().map(|text| shown(text)).collect();
    let noted = decision.map(|note| note.recorded());
    let mut decision = noted.and_then(|note| record.decision(note));
    decision.iter_mut().for_each(clean);
    let (names, warnings) = (texts(&page.names), texts(&page.warnings));
    Page {
        title: bot.to_owned(),
        names,
        warnings,
        decisions: decision.into_iter().collect(),
        ..page
    }
    .json()
}

/// Cleans the texts of a policy for display.
pub(super) fn clean(decision: &mut PageDecision) {
    if let Some(own) = &mut decision.own {
        own.policy = shown(&own.policy);
        own.reason = shown(&own.reason);
        own.safe_answer = own.safe_answer.as_deref().map(shown);
    }
}

#[cfg(test)]
mod tests {
    use client::bot::{LiveFigures, MatchPublisher};
    use client::decision_note::{DecisionOutcome, RecordedDecision};
    use client::seat_news::SeatNews;
    use client::session::observed::snapshot_line;
    use doudizhu::DouDizhuAction;
    use mcr::McrAction;
    use policy_host::{Origin, PolicyIdentity};
    use protocol::event_json;
    use protocol::game_record::{DouDizhuRecordForm, LineForm, McrRecordForm, RiichiLineForm};
    use protocol::riichilab::observation::observation_base64;
    use riichi::game::RiichiGame;
    use riichi::{Action, Event, Rules, Seat, Table};
    use serde_json::Value;

    use super::*;

    /// A deal and its first draw, from the point of view of each seat.
    fn seen(seed: u64) -> Vec<Vec<Event>> {
        let game = RiichiGame::new(Rules::TENHOU_HALF, seed);
        let begin = game
            .events()
            .iter()
            .position(|event| matches!(event, Event::StartKyoku(_)))
            .expect("a deal");
        let from = |seat: Seat| {
            let events = game.events()[begin..].iter();
            events.map(|event| event.masked_for(seat)).collect()
        };
        Seat::all(4).map(from).collect()
    }

    fn start(seat: usize) -> SeatNews {
        let start = RecordStart {
            game: "riichi".to_owned(),
            id: Some(seat),
            names: Vec::new(),
        };
        SeatNews::Round(start.line().into())
    }

    /// Shows these events as those of a new round of a bot of riichi.
    fn deal(publisher: &mut MatchPublisher, seat: usize, events: &[Event]) {
        publisher.tell(0, GameKind::Riichi, &start(seat));
        go_on(publisher, events);
    }

    fn go_on(publisher: &mut MatchPublisher, events: &[Event]) {
        for event in events {
            let line = event_json(event).into();
            publisher.tell(0, GameKind::Riichi, &SeatNews::Line(line));
        }
        publisher.show();
    }

    fn data(rounds: &mut DrawnRounds, board: &Board, bot: &str) -> Value {
        serde_json::from_str(&rounds.of(board, bot).json).expect("JSON")
    }

    /// How many hands a page shows.
    fn open(page: &Value) -> usize {
        let seats = &page["rounds"][0]["steps"][0][2]["seats"];
        let seats = seats.as_array().expect("seats").iter();
        seats
            .filter(|seat| !seat["hand"].as_str().expect("a hand").starts_with('?'))
            .count()
    }

    #[test]
    fn the_last_decision_is_shown_in_the_words_of_its_game() {
        fn noted<F: LineForm>(action: F::Action) -> RecordedDecision {
            let (id, version) = ("mine".to_owned(), "1".to_owned());
            let policy = PolicyIdentity {
                id,
                version,
                library: Origin::Builtin,
                hash: None,
            };
            let outcome = DecisionOutcome::SafeAnswer("it slept".to_owned());
            let (legal, policy) = (vec![action], Arc::new(policy));
            let note = DecisionNote {
                game: 0,
                decision: 3,
                seat: Seat::FIRST,
                legal,
                chosen: Some(0),
                policy,
                outcome,
            };
            note.written::<F>().recorded()
        }
        for (game, note, words) in [
            (
                GameKind::Riichi,
                noted::<RiichiLineForm>(Action::None),
                "pass",
            ),
            (GameKind::Mcr, noted::<McrRecordForm>(McrAction::Win), "win"),
            (
                GameKind::DouDizhu,
                noted::<DouDizhuRecordForm>(DouDizhuAction::Bid(2)),
                "bid 2",
            ),
        ] {
            let decision = record_page(game, true).decision(note).expect("it is known");
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
        let (board, mut rounds) = (Board::default(), DrawnRounds::default());
        let mut publisher = enter(&board, "kuma");
        let events = seen(7).swap_remove(0);
        deal(&mut publisher, 0, &events[..1]);
        data(&mut rounds, &board, "kuma");
        // A line that a page of its own would refuse.
        let drawn = |rounds: &DrawnRounds| {
            let game = rounds.kept["kuma"].game.as_ref().expect("it is drawn");
            game.lines.len()
        };
        assert_eq!(drawn(&rounds), 2);
        go_on(&mut publisher, &events[1..]);
        let page = data(&mut rounds, &board, "kuma");
        assert_eq!(drawn(&rounds), 1 + events.len());
        let words = page["rounds"][0]["steps"][0][0].as_str().expect("words");
        assert!(words.starts_with("kuma draws"), "{page}");
    }

    #[test]
    fn a_round_that_was_joined_after_its_deal_is_shown_by_its_table_and_goes_on() {
        let (board, mut rounds) = (Board::default(), DrawnRounds::default());
        let mut publisher = enter(&board, "kuma");
        let events = seen(7).swap_remove(0);
        let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
        events
            .iter()
            .for_each(|event| table.apply(event).expect("it can happen"));
        let observation = observation_base64(&table, &[], &[]);
        let SeatNews::Round(first) = start(0) else {
            panic!("a round begins");
        };
        let snapshot = [first, snapshot_line(&observation, 4).into()];
        publisher.tell(0, GameKind::Riichi, &SeatNews::Snapshot(snapshot));
        publisher.show();
        let page = data(&mut rounds, &board, "kuma");
        let words = &page["rounds"][0]["steps"][0][0];
        assert_eq!(words, "The bot joined in the middle of this round.");
        assert_eq!((open(&page), &page["seat"]), (1, &0.into()), "{page}");
        let tile = table.drawn().expect("it has drawn");
        let discard = Event::Dahai {
            actor: Seat::FIRST,
            tile,
            tsumogiri: true,
        };
        go_on(&mut publisher, &[discard]);
        let page = data(&mut rounds, &board, "kuma");
        let words = page["rounds"][0]["steps"][0][0].as_str().expect("words");
        assert!(words.starts_with("kuma discards"), "{page}");
        // The next round is followed from its deal.
        deal(&mut publisher, 0, &seen(8)[0]);
        let page = data(&mut rounds, &board, "kuma");
        assert!(page.to_string().contains("East 1"), "{page}");
    }

    /// The deal of a game of Dou Dizhu in which seat 0 is the landlord, and its first play.
    const DEAL: &str =
        r#"{"type":"deal","hands":[[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],null,null]}"#;
    const LANDLORD: &str = r#"{"type":"landlord","actor":0,"public":[17,18,19]}"#;
    const PLAY: &str = r#"{"type":"play","actor":0,"cards":[0]}"#;

    fn tell(publisher: &mut MatchPublisher, lines: &[&str]) {
        for &line in lines {
            publisher.tell(0, GameKind::DouDizhu, &SeatNews::Line(line.into()));
        }
        publisher.show();
    }

    /// The last step in the drawn round of a bot.
    fn last(rounds: &mut DrawnRounds, board: &Board, bot: &str) -> String {
        let data: Value = serde_json::from_str(&rounds.of(board, bot).json).expect("JSON");
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
            .game
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
