//! The outcome of a discard when the hand then takes the most valuable choices: computed forward,
//! turn by turn, with the information about each kind on the way if others discard between draws.

use tiles::{KINDS, Kind, KindSet};

use super::knowledge::{Knowledge, RelativeOdds, none_gone};
use super::odds::KindPool;
use super::states::{Discarding, States};
use super::surroundings::Surroundings;
use super::tenpai::{Tenpai, TenpaiGains};
use super::turns::Turns;
use super::{Chances, MAX_DRAWS, Stand};

/// A hand that may still change, with its probability. Most have a tiny probability, so this is
/// small and the information is stored separately.
#[derive(Clone, Copy)]
struct StateMass {
    state: u32,
    /// The index of its information in [`TurnHands::known`], plus one; 0 for none.
    known: u32,
    mass: f64,
    /// The part of the mass that has been tenpai.
    been_tenpai: f64,
}

/// The information in a hand, summed over the ways to it.
struct KnownSum {
    /// The part of the hand's mass that the next field covers: unlikely ways need less precision.
    mass: f64,
    /// Times that part of the mass. Of a hand that changes no more only for its waits.
    presence: RelativeOdds,
    /// For a hand that changes no more the expected number of tiles that it waits for, times that
    /// part of the mass.
    there: f64,
}

impl KnownSum {
    /// The presence of the kind with this index.
    #[inline(always)]
    fn mean(&self, kind: usize) -> f32 {
        let (sum, weight) = (self.presence[kind], self.mass as f32);
        // Without rounding if nothing has passed.
        if sum == weight {
            1.0
        } else {
            sum * (1.0 / weight)
        }
    }
}

/// Below this probability, a way to a hand adds nothing to its information.
const KNOWN_FROM: f64 = 1e-4;

/// The hands that it may be in a turn.
struct TurnHands {
    reached: Vec<StateMass>,
    known: Vec<KnownSum>,
    /// The index of each hand in `reached`, plus one.
    places: Vec<u32>,
}

impl TurnHands {
    fn new(hands: usize) -> Self {
        Self {
            reached: Vec::new(),
            known: Vec::new(),
            places: vec![0; hands],
        }
    }

    /// Adds a way to a hand, and returns where to note its information.
    #[inline]
    fn add(&mut self, state: usize, mass: f64, been_tenpai: f64) -> usize {
        let place = &mut self.places[state];
        if *place == 0 {
            self.reached.push(StateMass {
                state: state as u32,
                known: 0,
                mass: 0.0,
                been_tenpai: 0.0,
            });
            *place = self.reached.len() as u32;
        }
        let place = *place as usize - 1;
        let reached = &mut self.reached[place];
        reached.mass += mass;
        reached.been_tenpai += been_tenpai;
        place
    }

    /// The information in a hand, to which a way with this mass adds.
    fn known_with(&mut self, place: usize, mass: f64) -> &mut KnownSum {
        let known = &mut self.reached[place].known;
        if *known == 0 {
            self.known.push(KnownSum {
                mass: 0.0,
                presence: [0.0; KINDS],
                there: 0.0,
            });
            *known = self.known.len() as u32;
        }
        let known = &mut self.known[*known as usize - 1];
        known.mass += mass;
        known
    }

    /// Notes the information of a way with this mass; `thrown` is a discarded kind with an earlier
    /// drawn copy.
    fn note(
        &mut self,
        place: usize,
        mass: f64,
        presence: &RelativeOdds,
        thrown: Option<(Kind, f32)>,
    ) {
        let known = self.known_with(place, mass);
        let weight = mass as f32;
        for (sum, each) in known.presence.iter_mut().zip(presence) {
            *sum += weight * each;
        }
        if let Some((kind, left)) = thrown {
            known.presence[kind.index()] -= weight * presence[kind.index()] * (1.0 - left);
        }
    }

    /// Notes the information about its waits of a way with this mass to a hand that changes no
    /// more: the presence of each, and the expected number of tiles.
    fn note_waits(
        &mut self,
        place: usize,
        mass: f64,
        waits: impl Iterator<Item = (Kind, f32)>,
        there: impl Fn(Kind, f32) -> f64,
    ) {
        let known = self.known_with(place, mass);
        for (kind, presence) in waits {
            known.presence[kind.index()] += mass as f32 * presence;
            known.there += mass * there(kind, presence);
        }
    }

    #[inline(always)]
    fn presence(&self, place: usize) -> RelativeOdds {
        let Some(known) = self.reached[place].known.checked_sub(1) else {
            return [1.0; KINDS];
        };
        let known = &self.known[known as usize];
        std::array::from_fn(|kind| known.mean(kind))
    }

    fn clear(&mut self) {
        self.known.clear();
        for reached in self.reached.drain(..) {
            self.places[reached.state as usize] = 0;
        }
    }
}

/// Follows the choices that are worth most.
pub(super) struct Paths<'a> {
    states: &'a States,
    turns: &'a Turns,
    /// The surroundings, unless the information about each kind is left out.
    around: Option<&'a Surroundings<'a>>,
    now: TurnHands,
    next: TurnHands,
    locked: Locked,
}

impl<'a> Paths<'a> {
    /// With the information about each kind.
    pub(super) fn informed(
        around: &'a Surroundings<'a>,
        states: &'a States,
        turns: &'a Turns,
    ) -> Self {
        Self {
            around: Some(around),
            ..Self::uninformed(states, turns)
        }
    }

    /// As the choices are made: every outcome is the one in `turns`.
    pub(super) fn uninformed(states: &'a States, turns: &'a Turns) -> Self {
        let hands = || TurnHands::new(states.len());
        Self {
            states,
            turns,
            around: None,
            now: hands(),
            next: hands(),
            locked: Locked::new(turns.draws, turns.throws),
        }
    }

    /// The expected outcome by each turn when this hand has just made its first discard.
    pub(super) fn by_turn(&mut self, first: usize) -> Vec<Chances> {
        let draws = self.turns.draws;
        let mut sums = vec![Chances::default(); usize::from(draws) + 1];
        let mut done = Chances::default();
        self.now.clear();
        self.now.add(first, 1.0, 0.0);
        for left in (0..=draws).rev() {
            self.next.clear();
            let mut by_draw = Chances::default();
            for place in 0..self.now.reached.len() {
                self.follow(place, left, &mut done, &mut by_draw);
            }
            sums[usize::from(draws - left)].add(1.0, &done);
            // Wins by a draw are reported together with the events after it.
            done.add(1.0, &by_draw);
            std::mem::swap(&mut self.now, &mut self.next);
        }
        self.locked.settle(|left| self.turns.tiles(left), &mut sums);
        sums
    }

    /// Whether a way with this mass adds to the information of the hand that it leads to.
    const fn informs(&self, mass: f64) -> bool {
        self.around.is_some() && mass > KNOWN_FROM
    }

    /// One hand in one turn: others discard, then it draws. `done` is decided before the draw,
    /// `by_draw` by the draw.
    fn follow(&mut self, place: usize, left: u8, done: &mut Chances, by_draw: &mut Chances) {
        let StateMass {
            state,
            mass,
            been_tenpai: mut been,
            ..
        } = self.now.reached[place];
        if mass <= 0.0 {
            return;
        }
        let state = state as usize;
        let tenpai = self.states.tenpai(state);
        if let Some(tenpai) = tenpai {
            done.tenpai += mass - been;
            been = mass;
            let stand = self.turns.stand(state, left);
            if stand != Stand::Open {
                self.lock(place, tenpai, stand, left);
                return;
            }
        }
        let mut known = Knowledge::new(
            self.now.presence(place),
            self.states.unseen(state),
            self.turns.tiles(left),
        );
        let been_share = been / mass;
        let thrown = self.discarded_by_others(state, left, mass, been_share, &mut known);
        if let Some(tenpai) = tenpai {
            done.win += mass * thrown.by_ron;
            done.points += mass * thrown.by_ron * tenpai.ron.mean();
        }
        let stay = mass * thrown.passed;
        if left == 0 || stay <= 0.0 {
            return;
        }
        // The information about each kind when the drawn tile is none of its copies.
        let mut of_others = None;
        // Number of copies of each kind that would not be discarded at once: a red five may be kept
        // where a plain one is not.
        let mut wanted = [0_u8; KINDS];
        let mut wanted_kinds = KindSet::EMPTY;
        let mut gone = 0.0;
        for draw in self.states.draws(state) {
            let throw = self.discard(draw.full, left - 1);
            if throw.left as usize == state {
                continue;
            }
            let kind = draw.tile.kind();
            let chance = known.chance(kind, draw.tiles);
            gone += chance;
            wanted[kind.index()] += draw.tiles;
            wanted_kinds.insert(kind);
            self.change(
                throw,
                left,
                stay * chance,
                been_share,
                &known,
                &mut of_others,
            );
        }
        if let Some(tenpai) = tenpai {
            for kind in tenpai.by_tsumo.iter() {
                wanted[kind.index()] = u8::MAX;
            }
            wanted_kinds |= tenpai.by_tsumo;
            let chance = known.chance_of(tenpai.by_tsumo);
            gone += chance;
            by_draw.add(
                stay,
                &Chances {
                    tenpai: 0.0,
                    win: chance,
                    points: chance * tenpai.tsumo.mean(),
                },
            );
        }
        let rest = 1.0 - gone;
        if rest <= 1e-12 {
            return;
        }
        let mass = stay * rest;
        let stays_on = self.next.add(state, mass, mass * been_share);
        if !self.informs(mass) {
            return;
        }
        let unnoticed = (1.0 - 1.0 / (f64::from(self.turns.tiles(left)) * rest)).max(0.0) as f32;
        let mut stays = known.presence().map(|each| each * unnoticed);
        for kind in wanted_kinds.iter() {
            let copies = known.copies(kind).max(1);
            let share = f32::from(wanted[kind.index()].min(copies)) / f32::from(copies);
            let stays = &mut stays[kind.index()];
            *stays += share * (known.of_other(kind) - *stays);
        }
        if let Some(tenpai) = self.changes_no_more(state, left - 1) {
            let told = Knowledge::new(stays, known.copies_of_all(), self.turns.tiles(left - 1));
            let waits = tenpai.kinds.iter().map(|kind| (kind, stays[kind.index()]));
            let there = |kind, _| told.expected_of(kind);
            self.next.note_waits(stays_on, mass, waits, there);
        } else {
            self.next.note(stays_on, mass, &stays, None);
        }
    }

    /// The hand's wait, if it changes no more with this many draws left.
    fn changes_no_more(&self, state: usize, left: u8) -> Option<&'a Tenpai> {
        self.states
            .tenpai(state)
            .filter(|_| self.turns.stand(state, left) != Stand::Open)
    }

    /// The discard of a full hand that then has this many draws left.
    fn discard(&self, full: u32, left: u8) -> Discarding {
        self.states.throw(self.turns.choice(full, left))
    }

    /// A way to a full hand, which then makes this discard; this many draws are left before its
    /// draw or call. `of_others` has the information about each kind when that tile is
    /// none of its copies, once it is needed.
    #[inline(always)]
    fn change(
        &mut self,
        throw: Discarding,
        left: u8,
        mass: f64,
        been_share: f64,
        known: &Knowledge<'_>,
        of_others: &mut Option<RelativeOdds>,
    ) {
        let left = left - 1;
        let to = throw.left as usize;
        let place = self.next.add(to, mass, mass * been_share);
        let Some(around) = self.around.filter(|_| mass > KNOWN_FROM) else {
            return;
        };
        let thrown = discarded_again(around, self.states, throw);
        let Some(tenpai) = self.changes_no_more(to, left) else {
            let of_others = of_others.get_or_insert_with(|| known.of_others());
            self.next.note(place, mass, of_others, thrown);
            return;
        };
        let (copies, tiles) = (self.states.unseen(to), self.turns.tiles(left));
        let presence = |kind| {
            let each = known.of_other(kind);
            match thrown {
                Some((discarded, left)) if discarded == kind => each * left,
                _ => each,
            }
        };
        let waits = tenpai.kinds.iter().map(|kind| (kind, presence(kind)));
        if known.has_sure_kinds() {
            let mut all = *of_others.get_or_insert_with(|| known.of_others());
            if let Some((kind, left)) = thrown {
                all[kind.index()] *= left;
            }
            let told = Knowledge::new(all, copies, tiles);
            self.next
                .note_waits(place, mass, waits, |kind, _| told.expected_of(kind));
        } else {
            let there = |kind, each| f64::from(copies[kind]) * f64::from(each);
            self.next.note_waits(place, mass, waits, there);
        }
    }

    /// The response of a hand that may still change to the others' discards before its next draw:
    /// it wins by ron, calls or passes. A passed tile is known.
    fn discarded_by_others(
        &mut self,
        state: usize,
        left: u8,
        mass: f64,
        been_share: f64,
        known: &mut Knowledge<'_>,
    ) -> ThrownByOthers {
        let (states, turns) = (self.states, self.turns);
        let tenpai = states
            .tenpai(state)
            .filter(|tenpai| !tenpai.furiten && !tenpai.by_ron.is_empty());
        let throws = turns.calls_made(states.calls_of(state), left);
        let mut thrown = ThrownByOthers {
            by_ron: 0.0,
            passed: 1.0,
        };
        // A call takes the place of the draw, so without one there is none.
        let any_call = left > 0 && throws.iter().any(|&throws| throws > 0);
        if tenpai.is_none() && !any_call {
            return thrown;
        }
        let calls = states.calls(state).iter().zip(throws).filter(|_| any_call);
        let free = tenpai.map_or(0.0, |tenpai| known.none_gone(tenpai.kinds));
        // The mass that has neither won nor called nor become furiten by passing, unless a tile
        // that it waits for passed unnoticed before.
        let mut alive = 1.0;
        for throw in 0..turns.throws {
            let made = calls
                .clone()
                .filter(|(_, throws)| **throws >> throw & 1 == 1)
                .map(|(call, _)| call);
            let mut called = 0.0;
            let (mut taken, mut by_call) = ([0_u8; KINDS], KindSet::EMPTY);
            let mut of_others = None;
            for call in made {
                let kind = call.tile.kind();
                let chance = known.chance(kind, call.tiles);
                called += chance;
                taken[kind.index()] += call.tiles;
                by_call.insert(kind);
                let mass = mass * thrown.passed * chance;
                let throw = self.discard(call.full, left - 1);
                self.change(throw, left, mass, been_share, known, &mut of_others);
            }
            let mut won = 0.0;
            if let Some(tenpai) = tenpai {
                won = alive * free * known.chance_of(tenpai.by_ron).min(1.0);
                alive *= (1.0 - known.chance_of(tenpai.kinds) - called).max(0.0);
            }
            thrown.by_ron += won;
            thrown.passed = (thrown.passed * (1.0 - called) - won).max(0.0);
            for kind in by_call.iter() {
                known.pass(
                    kind,
                    f32::from(taken[kind.index()]) / f32::from(known.copies(kind).max(1)),
                );
            }
            for kind in tenpai.iter().flat_map(|tenpai| tenpai.by_ron.iter()) {
                known.pass(kind, free as f32);
            }
            known.weigh_others();
        }
        if let Some(tenpai) = tenpai {
            // A hand that has not won is more likely to be furiten.
            let won = if free > 0.0 {
                thrown.by_ron / free
            } else {
                0.0
            };
            let unnoticed = |kind: &Kind| known.presence()[kind.index()] < 1.0;
            let doubtful: KindSet = tenpai.kinds.iter().filter(unnoticed).collect();
            let copies: u8 = doubtful.iter().map(|kind| known.copies(kind)).sum();
            if copies > 0 && won > 0.0 {
                let shift = ((1.0 - won) / (1.0 - free * won))
                    .max(0.0)
                    .powf(1.0 / f64::from(copies));
                known.doubt(doubtful, shift as f32);
            }
        }
        thrown
    }

    /// Handles a hand that does not change any more.
    fn lock(&mut self, place: usize, tenpai: &Tenpai, stand: Stand, left: u8) {
        let StateMass {
            state, known, mass, ..
        } = self.now.reached[place];
        let gains = tenpai.gains(stand == Stand::Riichi);
        let waits = f64::from(tenpai.waits);
        let (there, none_gone) = match known.checked_sub(1) {
            None => (waits, 1.0),
            Some(known) => {
                let sum = &self.now.known[known as usize];
                let copies = self.states.unseen(state as usize);
                let none_gone = none_gone(tenpai.kinds, copies, |kind| sum.mean(kind.index()));
                (sum.there / sum.mass, none_gone)
            }
        };
        if tenpai.furiten {
            self.locked.add(there, left, false, mass, gains);
            return;
        }
        self.locked
            .add(there.max(waits), left, true, mass * none_gone, gains);
        if none_gone < 1.0 {
            // A tile that it waits for was discarded: it can only win by its own draw.
            let fewer = ((there - none_gone * waits) / (1.0 - none_gone)).max(0.0);
            self.locked
                .add(fewer, left, false, mass * (1.0 - none_gone), gains);
        }
    }
}

/// The outcome of the others' discards, as parts of the hand's mass. The rest calls.
struct ThrownByOthers {
    by_ron: f64,
    passed: f64,
}

/// Hands that do not change any more, grouped by their odds.
struct Locked {
    draws: u8,
    throws: u8,
    hands: Vec<LockedHands>,
    /// The index in `hands` of hands with this many waits and draws left that may win by ron or
    /// not.
    places: [[[u16; 2]; MAX_DRAWS as usize + 1]; Locked::MAX_WAITS + 1],
}

/// Hands that do not change any more, with the same odds.
struct LockedHands {
    waits: u8,
    left: u8,
    by_ron: bool,
    mass: f64,
    /// Times the mass.
    gains: TenpaiGains,
}

impl Locked {
    /// More kinds than thirteen, or copies of them, no hand waits for.
    const MAX_WAITS: usize = 39;

    fn new(draws: u8, throws: u8) -> Self {
        let places = [[[u16::MAX; 2]; MAX_DRAWS as usize + 1]; Self::MAX_WAITS + 1];
        Self {
            draws,
            throws,
            hands: Vec::new(),
            places,
        }
    }

    /// Adds a hand. A fractional average of waits is split between the two nearest whole numbers.
    fn add(&mut self, waits: f64, left: u8, by_ron: bool, mass: f64, gains: &TenpaiGains) {
        let whole = waits.floor();
        let more = waits - whole;
        // The difference to a mean of whole numbers is rounding.
        let parts = [
            (whole, if more < 1e-9 { 1.0 } else { 1.0 - more }),
            (whole + 1.0, if more < 1e-9 { 0.0 } else { more }),
        ];
        for (waits, share) in parts {
            let (waits, mass) = ((waits as usize).min(Self::MAX_WAITS), share * mass);
            if mass == 0.0 {
                continue;
            }
            let place = &mut self.places[waits][usize::from(left)][usize::from(by_ron)];
            if *place == u16::MAX {
                *place = self.hands.len() as u16;
                let (waits, gains) = (waits as u8, TenpaiGains::default());
                self.hands.push(LockedHands {
                    waits,
                    left,
                    by_ron,
                    mass: 0.0,
                    gains,
                });
            }
            let hands = &mut self.hands[usize::from(*place)];
            hands.mass += mass;
            hands.gains.add(mass, gains);
        }
    }

    /// Settles all hands, turn by turn, and adds their outcomes; none is left.
    fn settle(&mut self, tiles: impl Fn(u8) -> u32, sums: &mut [Chances]) {
        for hands in self.hands.drain(..) {
            self.places[usize::from(hands.waits)][usize::from(hands.left)]
                [usize::from(hands.by_ron)] = u16::MAX;
            let LockedHands {
                waits,
                left,
                by_ron,
                mass,
                gains,
            } = hands;
            let throws = if by_ron { self.throws } else { 0 };
            let mut later = sums[usize::from(self.draws - left)..].iter_mut();
            KindPool {
                waits: u32::from(waits),
                tiles: tiles(left),
                throws,
                draws: left,
            }
            .win(|odds| {
                if let Some(sum) = later.next() {
                    sum.win += mass * odds.total();
                    sum.points += gains.points(odds);
                }
            });
        }
    }
}

/// The kind of a discard with an earlier drawn and kept copy, and the remaining share of its
/// copies.
fn discarded_again(
    around: &Surroundings<'_>,
    states: &States,
    throw: Discarding,
) -> Option<(Kind, f32)> {
    let kind = throw.tile.kind();
    let held = states.held(throw.left as usize, kind);
    let copies = f32::from(states.unseen(throw.left as usize)[kind]);
    (held >= around.held_now(kind) && copies > 0.0).then(|| (kind, (copies - 1.0) / copies))
}
