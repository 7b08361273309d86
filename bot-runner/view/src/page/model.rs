//! The game of a page: the positions of each round in order, and the decisions.

use std::collections::HashMap;
use std::hash::Hash;

use builtin::ValueUnit;
use client::decision_note::RecordedDecision;
use policy_host::Measure;
use riichi::{ActionWords, WordedAction};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::languages::PageLanguage;
use super::simulated::SimulatedFigure;
use super::text::shown;
use super::words::ShownPieces;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pieces {
    /// Tiles of two characters each: `5m`, `0m` for a red five, `7z`, `1f` for a flower; `??` is a
    /// back.
    #[default]
    Tiles,
    /// Cards of one character each: `3` to `9`, `T`, `J`, `Q`, `K`, `A`, `2`, `x`, `X`; `?` is a
    /// back.
    Cards,
}

/// A game to show, with its decisions. All texts may be untrusted: they are shown as plain text,
/// and long ones are cut.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub title: String,
    pub pieces: Pieces,
    /// Names of the seats in their order.
    pub names: Vec<String>,
    /// The seat at the bottom, whose hand is always open.
    pub seat: Option<usize>,
    /// Further facts about the game: a label and a text.
    pub facts: Vec<(String, String)>,
    pub warnings: Vec<String>,
    /// The rounds, in order; a game without rounds has one.
    pub rounds: Vec<Round>,
    /// The decisions, in order.
    pub decisions: Vec<PageDecision>,
    /// The other policy that was asked at each decision.
    pub other: Option<String>,
    /// The kind of the simulated figures, if there are any.
    pub simulated: Option<SimulatedFigure>,
    /// The differences between the bot's picture of the game and the arena's.
    pub desyncs: Vec<PageDesync>,
    /// Its language; without one it is English.
    pub language: Option<PageLanguage>,
}

#[derive(Debug, Clone, Default)]
pub struct Round {
    /// The title, such as `East 1, repeat 2`.
    pub name: String,
    /// The title for a button: `E1·2`.
    pub short: String,
    /// The deal and the events after it.
    pub steps: Vec<Step>,
    /// For each seat whose hand is known: the steps at which its shanten number changed, with the
    /// number.
    pub shanten: Vec<Vec<(usize, i8)>>,
    /// The outcome; empty if it is unknown.
    pub outcome: String,
}

/// A moment of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The event, as text.
    pub words: String,
    pub sort: StepSort,
    /// The position after it.
    pub position: Position,
}

/// The sorts of events that a page marks or stops at, with their letters in the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum StepSort {
    #[default]
    Plain = b' ',
    Turn = b't',
    Riichi = b'r',
    Chow = b'c',
    Pung = b'p',
    Kong = b'k',
    /// A bomb or a rocket.
    Bomb = b'b',
    Win = b'w',
    /// The end of a round without a winner.
    Draw = b'x',
}

/// The pieces on the table.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Position {
    /// The round, for the middle of the table.
    pub round: String,
    /// The counters below it, in smaller letters; parts are separated by ` · `.
    pub counters: String,
    /// Tiles left to draw.
    pub left: Option<u32>,
    /// Dora indicators.
    pub dora: String,
    /// Ura-dora indicators, once they are turned.
    pub ura: String,
    /// The bottom cards of Dou Dizhu.
    pub bottom: String,
    pub turn: Option<usize>,
    /// The seat with the latest discard, or with the winning tile.
    pub latest: Option<usize>,
    pub over: bool,
    pub end: Option<ShownEnd>,
    /// The seats in their order.
    pub seats: Vec<SeatPosition>,
}

/// The outcome of a game or a round, for the middle of the table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ShownEnd {
    /// The winner, or a text that there is none.
    pub title: String,
    pub about: Vec<String>,
    /// The parts of the result, each with its figure: fan, yaku, or bid and bombs.
    pub parts: Vec<(String, String)>,
}

/// The pieces in front of a seat.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SeatPosition {
    /// Its wind, 0 for East.
    pub wind: Option<u8>,
    #[serde(serialize_with = "points")]
    pub score: Option<f64>,
    /// The points that it has won or lost in this round.
    #[serde(serialize_with = "points")]
    pub change: Option<f64>,
    pub note: String,
    /// Its concealed pieces without the drawn one.
    pub hand: String,
    pub drawn: String,
    pub melds: Vec<ShownMeld>,
    /// Its discards, each with its marks: `d` was just drawn, `r` declares riichi, a number is the
    /// seat that claimed it, `-` was claimed. In a game of cards its plays; an empty one is a pass.
    pub river: Vec<String>,
    /// Its bid; 0 for none.
    pub bid: Option<u8>,
    /// Tiles set aside: Norths of a game of three, or flowers.
    pub aside: String,
    /// `declared` or `accepted`.
    pub riichi: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ShownMeld {
    /// The kind of the meld: `chi`, `closed kan`.
    pub name: &'static str,
    /// The seat whose tile completed it.
    pub from: Option<usize>,
    /// Its tiles from left to right, each with its mark: `<` lies sideways, `^` lies on top of that
    /// one, `_` lies face down.
    pub tiles: String,
}

/// An available action.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShownAction {
    pub words: String,
    pub pieces: String,
    /// Its sort, for counting.
    pub sort: &'static str,
}

impl ShownAction {
    pub fn of<A: ActionWords<Pieces: ShownPieces>>(action: &A) -> Self {
        let WordedAction {
            sort,
            words,
            pieces,
            ..
        } = action.in_words(&ShownPieces::in_words);
        Self {
            words,
            pieces: pieces.codes(),
            sort,
        }
    }
}

/// A moment at which the bot's picture of the game and the arena's differed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDesync {
    pub round: usize,
    pub step: usize,
    pub kind: String,
}

/// A moment at which a seat had a choice.
#[derive(Debug, Clone, Default)]
pub struct PageDecision {
    pub round: usize,
    /// The step of the round at which it was asked.
    pub step: usize,
    pub seat: usize,
    pub legal: Vec<ShownAction>,
    /// The chosen action, if the game shows it.
    pub done: Option<usize>,
    pub own: Option<OwnChoice>,
    pub other: Option<OtherChoice>,
    /// The simulated figure of each action, if there is one.
    pub simulated: Option<Vec<SimulatedValue>>,
    /// What the action cost by the other policy's values, on the page of a review.
    pub loss: Option<PageLoss>,
}

/// The loss of a decision by the values of the policy that reviews.
#[derive(Debug, Clone)]
pub struct PageLoss {
    /// 0 if nothing better is known.
    pub loss: f32,
    /// The unit of the values of the policy.
    pub unit: ValueUnit,
    /// The kind of the decision.
    pub kind: String,
    /// Why the policy's choice is better, in sentences; empty without a loss.
    pub why: String,
}

/// The average outcome of an action by simulations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedValue {
    /// NaN for an action that was not simulated.
    pub value: f32,
    /// The standard error of the value; not finite if it is unknown.
    pub error: f32,
}

impl SimulatedValue {
    /// The value of an action that was not simulated.
    pub const NONE: Self = Self {
        value: f32::NAN,
        error: f32::NAN,
    };
}

/// A bot's choice, by its own record.
#[derive(Debug, Clone, Default)]
pub struct OwnChoice {
    pub chosen: Option<usize>,
    /// Its value of each action; NaN for an action without one.
    pub values: Vec<f32>,
    pub reason: String,
    /// The policy that decided: name and version.
    pub policy: String,
    pub took_us: Option<u64>,
    /// The reason for the safe answer, if the policy gave none.
    pub safe_answer: Option<String>,
    /// Whether the arena's list of actions differs from the rules.
    pub desync: bool,
}

impl OwnChoice {
    pub fn of(note: RecordedDecision, desync: bool) -> Self {
        let RecordedDecision {
            chosen,
            values,
            reason,
            policy,
            took_us,
            safe_answer,
            ..
        } = note;
        Self {
            chosen,
            values,
            reason,
            policy,
            took_us,
            safe_answer,
            desync,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct OtherChoice {
    pub chosen: Option<usize>,
    /// Its value of each action; NaN for an action without one.
    pub values: Vec<f32>,
    /// The reason, or why it did not decide.
    pub reason: String,
    /// Whether it equals the actual choice; `None` if that is unknown.
    pub agrees: Option<bool>,
}

impl Page {
    /// The seats whose hands are known.
    pub fn known_seats(&self) -> Vec<usize> {
        let deal = self.rounds.first().and_then(|round| round.steps.first());
        let seats = deal
            .iter()
            .flat_map(|step| step.position.seats.iter().enumerate());
        seats
            .filter(|(_, seat)| !seat.hand.starts_with('?'))
            .map(|(index, _)| index)
            .collect()
    }

    /// The page's data for the scripts, as JSON.
    pub fn json(&self) -> String {
        let texts = |texts: &[String]| texts.iter().map(|text| shown(text)).collect::<Vec<_>>();
        let (mut actions, mut policies) = (Interned::default(), Interned::default());
        let policy = |(policy, unit): (String, ValueUnit)| json!([policy, unit.name()]);
        let decisions: Vec<Value> = self
            .decisions
            .iter()
            .map(|decision| decision.json(&mut actions, &mut policies, self.simulated))
            .collect();
        let Standings {
            scores,
            changes,
            places,
        } = self.standings();
        let action = |ShownAction {
                          words,
                          pieces,
                          sort,
                      }| json!([words, pieces, sort]);
        json!({
            "title": shown(&self.title),
            "pieces": match self.pieces { Pieces::Tiles => "tiles", Pieces::Cards => "cards" },
            "names": texts(&self.names),
            "seat": self.seat,
            "facts": self.facts.iter().map(|(what, text)| [shown(what), shown(text)]).collect::<Vec<_>>(),
            "warnings": texts(&self.warnings),
            "policies": policies.list.into_iter().map(policy).collect::<Vec<_>>(),
            "other": self.other.as_deref().map(shown),
            "scores": scores,
            "changes": changes,
            "places": places,
            "rounds": self.rounds.iter().map(Round::json).collect::<Vec<_>>(),
            "actions": actions.list.into_iter().map(action).collect::<Vec<_>>(),
            "decisions": decisions,
            "desyncs": self.desyncs.iter().map(PageDesync::json).collect::<Vec<_>>(),
        })
        .to_string()
    }

    fn standings(&self) -> Standings {
        let of = |step: Option<&Step>, points: fn(&SeatPosition) -> Option<f64>| -> Vec<f64> {
            let seats = step.iter().flat_map(|step| &step.position.seats);
            seats.map(|seat| points(seat).unwrap_or_default()).collect()
        };
        let mut scores: Vec<Vec<f64>> = self
            .rounds
            .iter()
            .map(|round| of(round.steps.first(), |seat| seat.score))
            .collect();
        let end = of(
            self.rounds.last().and_then(|round| round.steps.last()),
            |seat| seat.score.or(seat.change),
        );
        let has_points = scores
            .first()
            .is_some_and(|start| start.iter().any(|&points| points != 0.0));
        let places = (0..end.len())
            .filter(|_| has_points)
            .map(|seat| Measure::Places.place(&end, seat))
            .collect();
        scores.push(end);
        let change = |(before, after): (&Vec<f64>, &Vec<f64>)| {
            after
                .iter()
                .zip(before)
                .map(|(after, before)| number(after - before))
                .collect()
        };
        let changes = scores.iter().zip(&scores[1..]).map(change).collect();
        let scores = scores
            .iter()
            .map(|scores| scores.iter().copied().map(number).collect())
            .collect();
        Standings {
            scores,
            changes,
            places,
        }
    }
}

/// The points of the seats over the rounds.
struct Standings {
    /// At the start of each round, and at the end. In a game without points at its start, the
    /// payments are the end.
    scores: Vec<Vec<Value>>,
    /// In each round.
    changes: Vec<Vec<Value>>,
    /// At the end; empty in a game without points at its start.
    places: Vec<u8>,
}

impl Round {
    /// Each position as the difference from the previous one.
    fn json(&self) -> Value {
        let mut before = Value::Object(Map::new());
        let steps = self.steps.iter().map(|step| {
            let position = serde_json::to_value(&step.position)
                .expect("texts, numbers and lists of them are JSON");
            let changed = changed(&before, &position).unwrap_or_else(|| json!({}));
            before = position;
            json!([step.words, char::from(step.sort as u8), changed])
        });
        json!({
            "name": self.name,
            "short": self.short,
            "steps": steps.collect::<Vec<_>>(),
            "shanten": self.shanten,
            "outcome": self.outcome,
        })
    }
}

/// The change from `before` to `after`: an object with the parts that differ, by their names or
/// indices. A list that became shorter is stored whole.
fn changed(before: &Value, after: &Value) -> Option<Value> {
    if before == after {
        return None;
    }
    let nothing = json!({});
    let part = |name: String, old: Option<&Value>, new: &Value| {
        Some((name, changed(old.unwrap_or(&nothing), new)?))
    };
    let parts: Map<String, Value> = match (before, after) {
        (Value::Object(before), Value::Object(after)) => after
            .iter()
            .filter_map(|(name, new)| part(name.clone(), before.get(name), new))
            .collect(),
        (Value::Array(before), Value::Array(after))
            if !before.is_empty() && before.len() <= after.len() =>
        {
            let each = after.iter().enumerate();
            each.filter_map(|(index, new)| part(index.to_string(), before.get(index), new))
                .collect()
        }
        _ => return Some(after.clone()),
    };
    Some(Value::Object(parts))
}

impl PageDesync {
    fn json(&self) -> Value {
        json!({"round": self.round, "step": self.step, "kind": shown(&self.kind)})
    }
}

impl PageDecision {
    fn json(
        &self,
        actions: &mut Interned<ShownAction>,
        policies: &mut Interned<(String, ValueUnit)>,
        simulated: Option<SimulatedFigure>,
    ) -> Value {
        let sort = self.legal.first().map_or("", |action| action.sort);
        let unit = self
            .simulated
            .as_ref()
            .and(simulated)
            .map(|figure| figure.unit(sort).name());
        let figures = |part: fn(&SimulatedValue) -> f32| {
            self.simulated
                .as_deref()
                .map(|values| numbers(&values.iter().map(part).collect::<Vec<_>>()))
        };
        without_nothing(json!({
            "round": self.round,
            "step": self.step,
            "seat": self.seat,
            "legal": self.legal.iter().map(|action| actions.index(action)).collect::<Vec<_>>(),
            "done": self.done,
            "own": self.own.as_ref().map(|own| own.json(sort, policies)),
            "other": self.other.as_ref().map(OtherChoice::json),
            "simulated": figures(|simulated| simulated.value),
            "errors": figures(|simulated| simulated.error),
            "unit": unit,
            "loss": self.loss.as_ref().map(PageLoss::json),
        }))
    }
}

impl PageLoss {
    pub(crate) fn json(&self) -> Value {
        without_nothing(json!({
            "value": numbers(&[self.loss]).first(),
            "unit": self.unit.name(),
            "kind": shown(&self.kind),
            "why": shown(&self.why),
        }))
    }
}

impl OwnChoice {
    fn json(&self, sort: &str, policies: &mut Interned<(String, ValueUnit)>) -> Value {
        let unit = ValueUnit::of_policy(&self.policy, sort);
        let steps: Vec<_> = self
            .values
            .iter()
            .map(|&value| unit.steps_and_tiles(value))
            .collect();
        without_nothing(json!({
            "chosen": self.chosen,
            "values": numbers(&self.values),
            "steps": if steps.iter().any(Option::is_some) { steps } else { Vec::new() },
            "reason": shown(&self.reason),
            "policy": policies.index(&(shown(&self.policy), unit)),
            "us": self.took_us,
            "safe": self.safe_answer.as_deref().map(shown),
            "desync": self.desync.then_some(true),
        }))
    }
}

impl OtherChoice {
    fn json(&self) -> Value {
        without_nothing(json!({
            "chosen": self.chosen,
            "values": numbers(&self.values),
            "reason": shown(&self.reason),
            "agrees": self.agrees,
        }))
    }
}

/// An object without empty fields.
fn without_nothing(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| {
            !matches!(value, Value::Null) && *value != json!([]) && *value != json!("")
        });
    }
    object
}

/// Repeated values, each stored once.
struct Interned<T> {
    list: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn index(&mut self, of: &T) -> usize {
        *self.places.entry(of.clone()).or_insert_with(|| {
            self.list.push(of.clone());
            self.list.len() - 1
        })
    }
}

/// Points; whole ones without decimals.
fn points<S: Serializer>(points: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    points.map(number).serialize(serializer)
}

fn number(points: f64) -> Value {
    if points.fract() == 0.0 {
        json!(points as i64)
    } else {
        json!(points)
    }
}

/// Values with five digits, which are enough and keep the page small. Empty if no value is a
/// number.
fn numbers(values: &[f32]) -> Vec<Option<f64>> {
    if !values.iter().any(|value| value.is_finite()) {
        return Vec::new();
    }
    let five_digits = |value: f32| format!("{value:.4e}").parse().unwrap_or(0.0);
    values
        .iter()
        .map(|value| value.is_finite().then(|| five_digits(*value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_five_digits_whatever_their_size() {
        assert_eq!(
            numbers(&[0.123_456_79, -12_345.678, 0.0, f32::NAN, 1e-9]),
            [Some(0.12346), Some(-12_346.0), Some(0.0), None, Some(1e-9)]
        );
        assert!(numbers(&[f32::NAN, f32::INFINITY]).is_empty());
    }

    fn round(positions: [[(Option<f64>, Option<f64>); 3]; 2]) -> Round {
        let step = |seats: [(Option<f64>, Option<f64>); 3]| {
            let seat = |(score, change)| SeatPosition {
                score,
                change,
                ..SeatPosition::default()
            };
            let position = Position {
                seats: seats.map(seat).into(),
                ..Position::default()
            };
            Step {
                words: String::new(),
                sort: StepSort::Plain,
                position,
            }
        };
        Round {
            steps: positions.map(step).into(),
            ..Round::default()
        }
    }

    fn data(rounds: Vec<Round>) -> Value {
        serde_json::from_str(
            &Page {
                rounds,
                ..Page::default()
            }
            .json(),
        )
        .expect("JSON")
    }

    #[test]
    fn scores_changes_and_places_are_sent_and_the_earlier_of_equal_seats_is_ahead() {
        let points = |scores: [i32; 3]| scores.map(|points| (Some(f64::from(points)), None));
        let [start, middle, end] = [
            [35_000; 3],
            [36_000, 33_000, 36_000],
            [34_000, 35_500, 35_500],
        ];
        let sent = data(vec![
            round([start, middle].map(points)),
            round([middle, end].map(points)),
        ]);
        assert_eq!(sent["scores"], json!([start, middle, end]));
        assert_eq!(
            sent["changes"],
            json!([[1_000, -2_000, 1_000], [-2_000, 2_500, -500]])
        );
        assert_eq!(sent["places"], json!([3, 1, 2]));
    }

    #[test]
    fn in_a_game_without_points_at_its_start_the_payments_are_sent_and_no_places() {
        let paid = [2.5, -1.0, -1.5].map(|change| (None, Some(change)));
        let sent = data(vec![round([[(None, None); 3], paid])]);
        assert_eq!(sent["scores"], json!([[0, 0, 0], [2.5, -1, -1.5]]));
        assert_eq!(
            (&sent["changes"], &sent["places"]),
            (&json!([[2.5, -1, -1.5]]), &json!([]))
        );
    }

    #[test]
    fn a_position_is_sent_as_its_difference_to_the_one_before() {
        let before = json!({"left": 70, "river": ["1m", "2m"], "melds": [], "seat": {"hand": "3m", "drawn": ""}});
        let after = json!({"left": 70, "river": ["1m-", "2m", "4m"], "melds": ["5m"], "seat": {"hand": "3m", "drawn": "5m"}});
        let told = changed(&before, &after).expect("something differs");
        assert_eq!(
            told,
            json!({"river": {"0": "1m-", "2": "4m"}, "melds": ["5m"], "seat": {"drawn": "5m"}})
        );
        assert_eq!(changed(&after, &after), None);
        assert_eq!(
            changed(&after, &before).expect("something differs")["river"],
            json!(["1m", "2m"]),
            "shorter: whole"
        );
    }
}
