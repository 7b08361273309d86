//! The results of `play`: what each player did in all games.

use std::sync::Arc;

use client::bot::BotReport;
use lab::game::PlayedGame;
use lab_stats::SeatCounts;
use policy_host::{GameKind, Measure, Origin, PolicyIdentity};

use say::output::say;

use super::super::table::{TextTable, number_of, points, signed};
use super::super::words::library_cell;

/// The totals over all games.
pub(super) struct Totals {
    pub(super) played: u64,
    /// The bots in the order of their configs, then the seats without a policy.
    pub(super) players: Vec<PlayerTotals>,
}

pub(super) struct PlayerTotals {
    name: String,
    /// The policy that decided last; none for a person or a seat without a policy.
    pub(super) policy: Option<Arc<PolicyIdentity>>,
    /// What stands in place of the policy and of its library.
    unlike_bots: [&'static str; 2],
    /// Decisions, and those of a person who had taken the seat over.
    decisions: u64,
    of_guest: u64,
    counts: SeatCounts,
    score: f64,
    pub(super) report: BotReport,
}

impl PlayerTotals {
    pub(super) fn of_bot(name: &str, policy: Arc<PolicyIdentity>) -> Self {
        Self {
            policy: Some(policy),
            ..Self::without_policy(name, ["-", "-"])
        }
    }

    pub(super) fn of_person(name: &str) -> Self {
        Self::without_policy(name, ["a person", "-"])
    }

    pub(super) fn of_safe_seat(name: &str) -> Self {
        Self::without_policy(name, ["-", "the arena's"])
    }

    fn without_policy(name: &str, unlike_bots: [&'static str; 2]) -> Self {
        Self {
            name: name.to_owned(),
            policy: None,
            unlike_bots,
            decisions: 0,
            of_guest: 0,
            counts: SeatCounts::default(),
            score: 0.0,
            report: BotReport::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Counts a decision, which may have been the safe answer and may have been a guest's.
    pub(super) fn decided(&mut self, is_made: bool, of_guest: bool) {
        self.decisions += 1;
        self.of_guest += u64::from(of_guest);
        self.report.safe_answers += u32::from(!is_made);
    }

    /// Says how much a person decided in the bot's place, if one did.
    pub(super) fn say_takeover(&self) {
        if self.of_guest > 0 {
            say(format!(
                "{}: a person made {} of its {}, so its results count for no policy",
                self.name,
                self.of_guest,
                number_of(self.decisions, "decision")
            ));
        }
    }

    fn faults(&self) -> u64 {
        self.counts.illegal + self.counts.failed + self.counts.late
    }
}

impl Totals {
    /// Adds a game that these players have played, in seat order.
    pub(super) fn add(&mut self, players: &[usize], counts: &[SeatCounts], game: &PlayedGame) {
        self.played += 1;
        for ((&player, counts), score) in players.iter().zip(counts).zip(&game.end.scores) {
            let totals = &mut self.players[player];
            totals.counts.add(counts);
            totals.score += score;
        }
    }

    /// The table of results, the best first.
    pub(super) fn table(&self, game: GameKind) -> String {
        match game.measure() {
            Measure::Places => self.places(),
            Measure::Points { .. } => self.scores(),
        }
    }

    fn average(&self, sum: f64) -> f64 {
        // Every player sits at every game.
        sum / self.played as f64
    }

    fn places(&self) -> String {
        let one = self.played == 1;
        let [place, score] = match one {
            true => ["place", "score"],
            false => ["avg place", "avg score"],
        };
        let heading = [
            place, "bot", "policy", "library", score, "wins", "deal-ins", "riichi", "called",
        ];
        let left = [false, true, true, true, false, false, false, false, false];
        let mut table = TextTable::new(heading, left).keyed_by(2);
        let policies = self.players.iter().flat_map(|player| &player.policy);
        let libraries: Vec<Origin> = policies.map(|policy| policy.library.clone()).collect();
        let mut players: Vec<&PlayerTotals> = self.players.iter().collect();
        players.sort_by_key(|player| (player.counts.place_sum(), -player.counts.points));
        for player in players {
            let counts = &player.counts;
            let [policy, library] = match &player.policy {
                Some(policy) => {
                    let person = if player.of_guest > 0 {
                        "a person, "
                    } else {
                        ""
                    };
                    let library = library_cell(&policy.library, &libraries);
                    [format!("{person}{}", policy.words()), library]
                }
                None => player.unlike_bots.map(str::to_owned),
            };
            let place = self.average(counts.place_sum() as f64);
            table.row([
                if one {
                    counts.place_sum().to_string()
                } else {
                    format!("{place:.2}")
                },
                player.name.clone(),
                policy,
                library,
                points(self.average(counts.points as f64).round() as i32),
                counts.wins.to_string(),
                counts.deal_ins.to_string(),
                counts.riichi.to_string(),
                counts.called.to_string(),
            ]);
        }
        table.for_output()
    }

    fn scores(&self) -> String {
        let heading = ["bot", "games", "won", "score", "a game", "faults"];
        let mut table = TextTable::new(heading, [true, false, false, false, false, false]);
        let mut players: Vec<&PlayerTotals> = self.players.iter().collect();
        players.sort_by(|one, other| other.score.total_cmp(&one.score));
        for player in players {
            table.row([
                player.name.clone(),
                self.played.to_string(),
                player.counts.wins.to_string(),
                format!("{:+}", player.score),
                signed(self.average(player.score), 2),
                player.faults().to_string(),
            ]);
        }
        table.for_output()
    }
}
