//! The rule agent in its process.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use doudizhu::{DouDizhuAction, DouDizhuSeatState, RankCounts};

pub(crate) struct RuleAgent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(crate) answers: u64,
    /// Answers that were not legal actions.
    pub(crate) unusable: u64,
}

impl RuleAgent {
    pub(crate) fn start(python: &str) -> Self {
        // From the example of doudizhu-learned too.
        let script = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../doudizhu-split/tests/rlcard/agent.py"
        );
        let mut child = Command::new(python)
            .args(["-B", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the Python program starts");
        let (input, output) = (
            child.stdin.take(),
            child.stdout.take().expect("it is piped"),
        );
        Self {
            child,
            input,
            output: BufReader::new(output),
            answers: 0,
            unusable: 0,
        }
    }

    pub(crate) fn seed(&mut self, seed: u64) {
        self.write(&format!("seed {seed}"));
    }

    /// The legal action that it chooses; `None` if it names no such action.
    pub(crate) fn answer(
        &mut self,
        table: &DouDizhuSeatState,
        legal: &[DouDizhuAction],
    ) -> Option<DouDizhuAction> {
        let (seat, landlord) = (table.seat()?, table.round().landlord()?);
        let mut trace = String::new();
        for played in table.round().trail() {
            let comma = if trace.is_empty() { "" } else { "," };
            let cards = played
                .play
                .map_or_else(|| "pass".to_owned(), |play| letters(play.cards));
            let _ = write!(trace, "{comma}{}:{cards}", played.seat.index());
        }
        if trace.is_empty() {
            trace.push('-');
        }
        let names: Vec<String> = legal.iter().map(name).collect();
        let hand = letters(table.hand_counts());
        self.write(&format!(
            "{} {} {hand} {trace} {}",
            seat.index(),
            landlord.index(),
            names.join(",")
        ));
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        self.answers += 1;
        let chosen = names
            .iter()
            .position(|name| same_cards(name, answer.trim()));
        self.unusable += u64::from(chosen.is_none());
        chosen.map(|index| legal[index])
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open until it is dropped");
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .expect("the agent reads");
    }
}

impl Drop for RuleAgent {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// rlcard's letters: B and R are the jokers.
fn letters(cards: RankCounts) -> String {
    cards.to_string().replace('x', "B").replace('X', "R")
}

fn name(action: &DouDizhuAction) -> String {
    match action {
        DouDizhuAction::Play(play) => letters(play.cards),
        _ => "pass".to_owned(),
    }
}

/// It names the parts of a chain in its own order.
fn same_cards(name: &str, answer: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    name == answer || sorted(name) == sorted(answer)
}
