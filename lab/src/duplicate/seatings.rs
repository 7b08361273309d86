//! Who sits where on each wall.

/// Why bots cannot be seated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{configs} configs are given; a table of this game seats 2 to {seats}")]
pub struct CannotFill {
    /// How many there are.
    pub configs: usize,
    /// How many seats there are.
    pub seats: usize,
}

/// All seatings of so many configs at a table, each a config for every seat: with as many configs as seats every order, 24 of four
/// and 6 of three. With fewer, some sit several times, each as often as any other: two configs at four seats take two each, in 6
/// ways; two at three seats take one and two, in 6 ways too. Orders that differ by nothing but which of its own seats a config takes
/// are the same game and stand there once.
///
/// # Errors
///
/// When there are less than two configs, or more than seats.
pub fn seatings(configs: usize, seats: usize) -> Result<Vec<Vec<usize>>, CannotFill> {
    if configs < 2 || configs > seats {
        return Err(CannotFill { configs, seats });
    }
    let (least, most) = (seats / configs, seats.div_ceil(configs));
    let is_fair = |seating: &[usize]| {
        (0..configs).all(|config| {
            let taken = seating.iter().filter(|&&seated| seated == config).count();
            (least..=most).contains(&taken)
        })
    };
    let all = (0..configs.pow(seats as u32)).map(|number| {
        (0..seats as u32).rev().map(|place| number / configs.pow(place) % configs).collect::<Vec<usize>>()
    });
    Ok(all.filter(|seating| is_fair(seating)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_configs_as_seats_sit_in_every_order() {
        assert_eq!(seatings(4, 4).expect("four can sit").len(), 24);
        assert_eq!(seatings(3, 3).expect("three can sit").len(), 6);
    }

    #[test]
    fn two_configs_take_every_seat_equally_often() {
        for (seats, games) in [(4, 6), (3, 6)] {
            let all = seatings(2, seats).expect("two can sit");
            assert_eq!(all.len(), games);
            for seat in 0..seats {
                assert_eq!(
                    all.iter().filter(|seating| seating[seat] == 0).count(),
                    games / 2,
                    "seat {seat} of {seats}"
                );
            }
        }
    }

    #[test]
    fn one_config_and_more_than_seats_are_refused() {
        for (configs, seats) in [(1, 4), (0, 3), (4, 3)] {
            assert_eq!(seatings(configs, seats), Err(CannotFill { configs, seats }));
        }
    }
}
