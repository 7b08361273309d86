//! Opponents that play like course projects: the longest combination first, and an answer whenever
//! possible.

use doudizhu::split::{best_split, fewest_turns};
use doudizhu::{CombinationKind, DouDizhuAction, DouDizhuPlay, DouDizhuSeatState, RankCounts};

/// A way to play.
pub(crate) type Opponent = fn(&DouDizhuSeatState, &[DouDizhuAction]) -> DouDizhuAction;

/// The inputs of an opponent's decision.
struct Scene<'a> {
    table: &'a DouDizhuSeatState,
    hand: RankCounts,
    /// All that it can play, bombs apart.
    plays: Vec<DouDizhuPlay>,
    bombs: Vec<DouDizhuPlay>,
    can_pass: bool,
    /// The fewest cards that an enemy has left.
    near: u8,
    /// The partner's play to beat.
    partner: Option<DouDizhuPlay>,
}

impl<'a> Scene<'a> {
    fn new(table: &'a DouDizhuSeatState, legal: &[DouDizhuAction]) -> Self {
        let round = table.round();
        let own = table.seat().expect("it has a seat");
        let (bombs, plays) = legal
            .iter()
            .filter_map(|action| {
                if let DouDizhuAction::Play(play) = action {
                    Some(*play)
                } else {
                    None
                }
            })
            .partition(|play| play.combination.is_bomb());
        let enemies = doudizhu::DouDizhuSeat::all()
            .filter(|&seat| seat != own && !round.are_partners(own, seat));
        Self {
            table,
            hand: table.hand_counts(),
            plays,
            bombs,
            can_pass: legal.contains(&DouDizhuAction::Pass),
            near: enemies.map(|seat| round.left(seat)).min().unwrap_or(0),
            partner: round
                .to_beat()
                .filter(|last| round.are_partners(own, last.seat))
                .and_then(|last| last.play),
        }
    }

    fn turns_after(&self, play: &DouDizhuPlay) -> usize {
        self.hand.minus(play.cards).map_or(usize::MAX, |rest| {
            fewest_turns(rest, self.table.round().rules())
        })
    }

    fn turns(&self) -> usize {
        fewest_turns(self.hand, self.table.round().rules())
    }

    /// A play of all cards.
    fn last_play(&self) -> Option<DouDizhuPlay> {
        self.plays
            .iter()
            .chain(&self.bombs)
            .copied()
            .find(|play| play.cards == self.hand)
    }

    /// Whether no bomb loses a card.
    fn spares_bombs(&self, play: &DouDizhuPlay) -> bool {
        self.hand
            .iter()
            .all(|(rank, cards)| cards < 4 || play.cards.get(rank) == 0)
    }

    fn pass_or(&self, play: Option<DouDizhuPlay>) -> DouDizhuAction {
        match play {
            Some(play) => DouDizhuAction::Play(play),
            None if self.can_pass => DouDizhuAction::Pass,
            None => DouDizhuAction::Play(
                *self
                    .plays
                    .first()
                    .or(self.bombs.first())
                    .expect("it leads something"),
            ),
        }
    }

    /// The longest of some plays, the lowest of equal ones; against an enemy with one card no
    /// single but the highest.
    fn longest(&self, plays: impl Iterator<Item = DouDizhuPlay>) -> Option<DouDizhuPlay> {
        let single = |play: &DouDizhuPlay| self.near == 1 && play.cards.len() == 1;
        let rank = |play: &DouDizhuPlay| {
            let low = play.combination.low.index() as i8;
            if single(play) { low } else { -low }
        };
        plays.max_by_key(|play| (!single(play), play.cards.len(), rank(play)))
    }
}

/// Leads the longest combination of its split; answers with any play that leaves the fewest turns,
/// bombs last.
pub(crate) fn longest_first(table: &DouDizhuSeatState, legal: &[DouDizhuAction]) -> DouDizhuAction {
    let scene = Scene::new(table, legal);
    if let Some(play) = scene.last_play() {
        return DouDizhuAction::Play(play);
    }
    if !scene.can_pass {
        let split = best_split(scene.hand, table.round().rules());
        let plays = split
            .plays
            .iter()
            .copied()
            .filter(|play| !play.combination.is_bomb());
        return scene.pass_or(scene.longest(plays).or(scene.bombs.first().copied()));
    }
    let answers = scene
        .plays
        .iter()
        .copied()
        .filter(|play| scene.spares_bombs(play));
    let best = answers.min_by_key(|play| (scene.turns_after(play), play.combination.low));
    if let Some(last) = scene.partner {
        let is_low = last.cards.len() <= 2 && last.combination.low.index() < 8;
        return scene.pass_or(best.filter(|play| is_low && play.combination.low.index() < 12));
    }
    let bomb = scene
        .bombs
        .first()
        .copied()
        .filter(|play| scene.near <= 5 || scene.turns_after(play) <= 2);
    scene.pass_or(best.or(bomb))
}

/// Splits its hand as rlcard's rule agent does, trios before straights before pairs; leads the
/// longest part; answers with the lowest cards of the kind, from any part.
pub(crate) fn always_answers(
    table: &DouDizhuSeatState,
    legal: &[DouDizhuAction],
) -> DouDizhuAction {
    let scene = Scene::new(table, legal);
    if let Some(play) = scene.last_play() {
        return DouDizhuAction::Play(play);
    }
    if !scene.can_pass {
        return scene.pass_or(
            scene
                .longest(parts(&scene).into_iter())
                .or(scene.bombs.first().copied()),
        );
    }
    let lowest = scene
        .plays
        .iter()
        .copied()
        .find(|play| scene.spares_bombs(play));
    if let Some(last) = scene.partner {
        let is_low = last.cards.len() <= 2 && last.combination.low.index() < 7;
        return scene.pass_or(lowest.filter(|_| is_low));
    }
    scene.pass_or(lowest.or(scene.bombs.first().copied().filter(|_| scene.near <= 10)))
}

/// The kinds in the order in which they are taken out of the hand, the longest of each kind first.
fn parts(scene: &Scene<'_>) -> Vec<DouDizhuPlay> {
    const ORDER: [CombinationKind; 6] = [
        CombinationKind::Plane,
        CombinationKind::Trio,
        CombinationKind::Straight,
        CombinationKind::PairStraight,
        CombinationKind::Pair,
        CombinationKind::Single,
    ];
    let mut left = scene.hand;
    for bomb in scene.bombs.iter().filter(|play| play.combination.is_bomb()) {
        left = left.minus(bomb.cards).unwrap_or(left);
    }
    let mut parts = Vec::new();
    for kind in ORDER {
        while let Some(play) = scene
            .plays
            .iter()
            .filter(|play| {
                play.combination.kind == kind && play.combination.wings == doudizhu::Wings::None
            })
            .filter(|play| left.contains(play.cards))
            .max_by_key(|play| (play.cards.len(), std::cmp::Reverse(play.combination.low)))
        {
            left = left.minus(play.cards).unwrap_or_default();
            parts.push(*play);
        }
    }
    // Trios and planes take the lowest singles or pairs along.
    let wings: Vec<DouDizhuPlay> = parts
        .iter()
        .copied()
        .filter(|play| play.cards.len() <= 2)
        .collect();
    let winged = |part: &DouDizhuPlay| {
        let fits = |play: &&DouDizhuPlay| {
            play.combination.low == part.combination.low
                && play.combination.length == part.combination.length
                && play.combination.kind == part.combination.kind
                && play.cards.minus(part.cards).is_some_and(|rest| {
                    rest.iter().all(|(rank, cards)| {
                        wings
                            .iter()
                            .any(|wing| wing.combination.low == rank && wing.cards.len() == cards)
                    })
                })
        };
        scene
            .plays
            .iter()
            .filter(fits)
            .max_by_key(|play| play.cards.len())
            .copied()
            .unwrap_or(*part)
    };
    parts.iter().map(winged).collect()
}

/// Takes the action that leaves the fewest turns, with the most and lowest cards; passes if that
/// saves none, but not against an enemy with few cards.
pub(crate) fn saves_turns(table: &DouDizhuSeatState, legal: &[DouDizhuAction]) -> DouDizhuAction {
    let scene = Scene::new(table, legal);
    if let Some(play) = scene.last_play() {
        return DouDizhuAction::Play(play);
    }
    let cost = |play: &DouDizhuPlay| {
        let low = play.combination.low.index();
        (
            scene.turns_after(play),
            usize::from(low >= 12),
            std::cmp::Reverse(play.cards.len()),
            low,
        )
    };
    let best = scene.plays.iter().copied().min_by_key(cost);
    if !scene.can_pass {
        return scene.pass_or(best.or(scene.bombs.first().copied()));
    }
    if let Some(last) = scene.partner {
        let is_low = last.cards.len() <= 2 && last.combination.low.index() < 8;
        return scene
            .pass_or(best.filter(|play| is_low && scene.turns_after(play) < scene.turns()));
    }
    let saves = best.filter(|play| scene.turns_after(play) < scene.turns() || scene.near <= 6);
    let bomb = scene
        .bombs
        .first()
        .copied()
        .filter(|play| scene.near <= 4 || scene.turns_after(play) <= 2);
    scene.pass_or(saves.or(bomb))
}

pub(crate) const OPPONENTS: [(&str, Opponent); 3] = [
    ("longest first", longest_first),
    ("always answers", always_answers),
    ("saves turns", saves_turns),
];
