//! A round written event by event in mjai's tile names, seen from seat 0.

use riichi::event::{HAND_SIZE, Hora, Points, StartKyoku, UraMarkers};
use riichi::table::{Contradiction, Furiten, Phase};
use riichi::{Event, Kind, MeldKind, PerSeat, Rules, Seat, Table, Tile, Wind};

/// The seat the table is seen from.
pub(crate) const ME: Seat = Seat::FIRST;
/// The seat after ours, which may chi from us.
pub(crate) const RIGHT: Seat = seat(1);
/// The seat opposite.
pub(crate) const ACROSS: Seat = seat(2);
/// The seat before ours, which we may chi from.
pub(crate) const LEFT: Seat = seat(3);

pub(crate) const fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a number from 0 to 3")
}

pub(crate) fn tile(name: &str) -> Tile {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn kind(name: &str) -> Kind {
    tile(name).kind()
}

/// Tiles written with spaces between them.
pub(crate) fn tiles<const N: usize>(names: &str) -> [Tile; N] {
    let all: Vec<Tile> = names.split_whitespace().map(tile).collect();
    all.try_into()
        .unwrap_or_else(|_| panic!("{names} are not {N} tiles"))
}

pub(crate) fn points(values: [i32; 4]) -> Points {
    PerSeat::from_slice(&values).expect("four players")
}

/// Everything a table holds, the order numbers of melds included, which `Debug` leaves out of a
/// meld.
pub(crate) fn state(table: &Table) -> String {
    let orders: Vec<u8> = table
        .players()
        .iter()
        .flat_map(|(_, player)| &player.melds)
        .map(|meld| meld.order)
        .collect();
    format!("{table:?} {orders:?}")
}

/// The beginning of a round.
#[derive(Clone, Copy)]
pub(crate) struct Deal {
    pub(crate) rules: Rules,
    pub(crate) oya: Seat,
    pub(crate) bakaze: Wind,
    pub(crate) kyotaku: u8,
    pub(crate) scores: Option<Points>,
    pub(crate) dora_marker: Tile,
    pub(crate) hand: [Tile; HAND_SIZE],
}

impl Deal {
    /// Our 13 tiles; East 1, where we deal, with 25,000 points each.
    pub(crate) fn of(hand: &str) -> Self {
        Self {
            rules: Rules::TENHOU_HALF,
            oya: ME,
            bakaze: Wind::East,
            kyotaku: 0,
            scores: Some(points([25_000; 4])),
            dora_marker: tile("W"),
            hand: tiles(hand),
        }
    }

    /// The event, with the tiles of the others hidden.
    pub(crate) fn event(&self) -> Event {
        let mut tehais = PerSeat::from_fn(self.rules.players, |_| None);
        tehais[ME] = Some(self.hand);
        Event::StartKyoku(StartKyoku {
            bakaze: self.bakaze,
            kyoku: 1,
            honba: 0,
            kyotaku: self.kyotaku,
            oya: self.oya,
            dora_marker: self.dora_marker,
            scores: self.scores,
            tehais,
        })
    }

    pub(crate) fn begin(self) -> Round {
        let mut round = Round {
            table: Table::new(self.rules, ME),
        };
        round.tell(self.event());
        round
    }
}

/// A round in which we are dealt this hand and deal ourselves.
pub(crate) fn deal(hand: &str) -> Round {
    Deal::of(hand).begin()
}

/// A round in which we are dealt this hand and another seat deals.
pub(crate) fn deal_from(oya: Seat, hand: &str) -> Round {
    Deal {
        oya,
        ..Deal::of(hand)
    }
    .begin()
}

/// The round so far. Its events must be possible: a contradiction fails the test.
#[derive(Clone)]
pub(crate) struct Round {
    pub(crate) table: Table,
}

impl Round {
    #[track_caller]
    pub(crate) fn tell(&mut self, event: Event) {
        if let Err(contradiction) = self.table.apply(&event) {
            panic!("{event:?}: {contradiction}");
        }
    }

    /// The table's contradiction of an event, after checking that the table is unchanged.
    #[track_caller]
    pub(crate) fn refusal(&mut self, event: Event) -> Contradiction {
        let before = state(&self.table);
        let contradiction = self.table.apply(&event).expect_err("a contradiction");
        assert_eq!(state(&self.table), before, "{event:?} changed the table");
        contradiction
    }

    /// We draw.
    #[track_caller]
    pub(crate) fn draw(&mut self, name: &str) {
        self.tell(Event::Tsumo {
            actor: ME,
            tile: Some(tile(name)),
        });
    }

    /// We discard from the hand.
    #[track_caller]
    pub(crate) fn discard(&mut self, name: &str) {
        self.tell(Event::Dahai {
            actor: ME,
            tile: tile(name),
            tsumogiri: false,
        });
    }

    /// We discard the tile just drawn.
    #[track_caller]
    pub(crate) fn discard_drawn(&mut self) {
        let tile = self.table.drawn().expect("a drawn tile");
        self.tell(Event::Dahai {
            actor: ME,
            tile,
            tsumogiri: true,
        });
    }

    /// We draw a tile and discard it.
    #[track_caller]
    pub(crate) fn draw_and_discard(&mut self, name: &str) {
        self.draw(name);
        self.discard_drawn();
    }

    /// Another seat draws.
    #[track_caller]
    pub(crate) fn draws(&mut self, actor: Seat) {
        self.tell(Event::Tsumo { actor, tile: None });
    }

    /// Another seat discards, from the hand after a call, else what it draws before.
    #[track_caller]
    pub(crate) fn throws(&mut self, actor: Seat, name: &str) {
        let called = self.table.phase() == Phase::Called(actor);
        if !called && self.table.phase() != Phase::Turn(actor) {
            self.draws(actor);
        }
        self.tell(Event::Dahai {
            actor,
            tile: tile(name),
            tsumogiri: !called,
        });
    }

    /// The three others draw and discard in turn.
    #[track_caller]
    pub(crate) fn others_throw(&mut self, names: [&str; 3]) {
        for (seat, name) in [RIGHT, ACROSS, LEFT].into_iter().zip(names) {
            self.throws(seat, name);
        }
    }

    /// Seats draw and discard in turn, from the next one, until this many tiles are left; tiles in
    /// `avoiding` are not discarded.
    #[track_caller]
    pub(crate) fn play_down_to(&mut self, left: u8, avoiding: &str) {
        let avoided: Vec<Kind> = avoiding.split_whitespace().map(kind).collect();
        while self.table.tiles_left() > left {
            let next = match self.table.phase() {
                Phase::Draw(seat) => seat,
                Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => {
                    by.next(self.table.rules().players)
                }
                phase => panic!("no seat draws in {phase:?}"),
            };
            let unseen = self.table.unseen();
            let kind = Kind::all()
                .filter(|kind| !avoided.contains(kind))
                .max_by_key(|&kind| unseen[kind]);
            let tile = kind.expect("a kind").tile();
            self.tell(Event::Tsumo {
                actor: next,
                tile: Some(tile),
            });
            self.tell(Event::Dahai {
                actor: next,
                tile,
                tsumogiri: true,
            });
        }
    }

    fn last_discarder(&self) -> Seat {
        match self.table.phase() {
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => by,
            phase => panic!("nothing to call in {phase:?}"),
        }
    }

    /// A run is called with the last discard and two own tiles.
    #[track_caller]
    pub(crate) fn chi(&mut self, actor: Seat, called: &str, own: &str) {
        let target = self.last_discarder();
        self.tell(Event::Chi {
            actor,
            target,
            tile: tile(called),
            consumed: tiles(own),
        });
    }

    /// A triplet is called with the last discard and two own tiles.
    #[track_caller]
    pub(crate) fn pon(&mut self, actor: Seat, called: &str, own: &str) {
        let target = self.last_discarder();
        self.tell(Event::Pon {
            actor,
            target,
            tile: tile(called),
            consumed: tiles(own),
        });
    }

    /// An open kan is called with the last discard and three own tiles.
    #[track_caller]
    pub(crate) fn daiminkan(&mut self, actor: Seat, called: &str, own: &str) {
        let target = self.last_discarder();
        self.tell(Event::Daiminkan {
            actor,
            target,
            tile: tile(called),
            consumed: tiles(own),
        });
    }

    /// A closed kan of four own tiles is shown.
    #[track_caller]
    pub(crate) fn ankan(&mut self, actor: Seat, own: &str) {
        self.tell(Event::Ankan {
            actor,
            consumed: tiles(own),
        });
    }

    /// A tile is added to the pon of its kind.
    #[track_caller]
    pub(crate) fn kakan(&mut self, actor: Seat, name: &str) {
        let added = tile(name);
        let melds = &self.table.player(actor).melds;
        let pon = melds
            .iter()
            .find(|meld| meld.kind() == MeldKind::Pon && meld.first() == added.kind());
        let consumed = pon
            .expect("a pon to add to")
            .tiles()
            .try_into()
            .expect("three tiles");
        self.tell(Event::Kakan {
            actor,
            tile: added,
            consumed,
        });
    }

    /// A new dora indicator is turned.
    #[track_caller]
    pub(crate) fn dora(&mut self, name: &str) {
        self.tell(Event::Dora { marker: tile(name) });
    }

    /// A seat that has drawn declares riichi and discards; we the drawn tile if it is that, others
    /// from the hand.
    #[track_caller]
    pub(crate) fn declare_riichi(&mut self, actor: Seat, name: &str) {
        if self.table.phase() != Phase::Turn(actor) {
            self.draws(actor);
        }
        self.tell(Event::Reach { actor });
        let tsumogiri = actor == ME && self.table.drawn() == Some(tile(name));
        self.tell(Event::Dahai {
            actor,
            tile: tile(name),
            tsumogiri,
        });
    }

    /// No player has won on the riichi discard.
    #[track_caller]
    pub(crate) fn accept_riichi(&mut self, actor: Seat) {
        self.tell(Event::ReachAccepted {
            actor,
            scores: None,
        });
    }

    /// A riichi declared and accepted.
    #[track_caller]
    pub(crate) fn riichi(&mut self, actor: Seat, name: &str) {
        self.declare_riichi(actor, name);
        self.accept_riichi(actor);
    }

    /// A win, with the change of scores.
    #[track_caller]
    pub(crate) fn hora(&mut self, actor: Seat, target: Seat, deltas: [i32; 4]) {
        self.tell(hora(actor, target, Some(points(deltas)), None));
    }

    /// Our legal actions, in the `Debug` form of [`riichi::Action`].
    pub(crate) fn legal(&self) -> Vec<String> {
        self.table
            .legal_actions()
            .iter()
            .map(|action| format!("{action:?}"))
            .collect()
    }

    /// The legal actions with this name.
    pub(crate) fn legal_of(&self, name: &str) -> Vec<String> {
        self.legal()
            .into_iter()
            .filter(|action| action.split(' ').next() == Some(name))
            .collect()
    }

    /// Whether an action with this name is legal.
    pub(crate) fn may(&self, name: &str) -> bool {
        !self.legal_of(name).is_empty()
    }

    pub(crate) fn furiten(&self) -> Furiten {
        self.table.furiten()
    }

    /// Copies of a kind that we have not seen.
    pub(crate) fn unseen(&self, name: &str) -> u8 {
        self.table.unseen()[kind(name)]
    }
}

/// A win.
pub(crate) fn hora(
    actor: Seat,
    target: Seat,
    deltas: Option<Points>,
    scores: Option<Points>,
) -> Event {
    Event::Hora(Hora {
        actor,
        target,
        deltas,
        scores,
        ura_markers: UraMarkers::default(),
    })
}
