//! Verdicts in words. All that a conclusion says of strength follows from [`Verdict`]s, pair by
//! pair.

use lab_stats::Verdict;

use super::table::signed;

/// Maximum number of names in a list; of more it gives the number.
const MAX_NAMES: usize = 8;

/// Two of several, and whether the first is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JudgedPair<'n> {
    pub(super) one: &'n str,
    pub(super) other: &'n str,
    pub(super) verdict: Verdict,
}

/// The advantage of the first lies in this interval, and no number of games that could be played
/// would show it.
pub(super) fn between([low, high]: [f64; 2], unit: &str) -> String {
    format!(
        "the difference is between {} and {} {unit}",
        signed(low, 3),
        signed(high, 3)
    )
}

/// How it is said that one is better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BetterWords {
    /// Configs or versions that played each other.
    Strength,
    /// Averages of a bot or a version.
    Results,
    /// Averages of the user's bots against an opponent.
    Against,
    /// Averages of the user's bots in a week.
    InWeek,
}

impl BetterWords {
    fn of(self, one: &str, what: &str, other: &str) -> String {
        self.by_verb(
            if self == Self::Strength { "is" } else { "does" },
            one,
            what,
            other,
        )
    }

    /// The same with a verb such as `places`.
    pub(super) fn by_verb(self, verb: &str, one: &str, what: &str, other: &str) -> String {
        match self {
            Self::Strength | Self::Results => format!("{one} {verb} {what} than {other}"),
            Self::Against => format!("your bot {verb} {what} against {one} than against {other}"),
            Self::InWeek => format!("your bot {verb} {what} in {one} than in {other}"),
        }
    }

    /// That it is open which of two is better.
    pub(super) fn open(self, one: &str, other: &str) -> String {
        match self {
            Self::Strength => format!("it is not shown which of {one} and {other} is better"),
            Self::Results => format!("it is not shown which of {one} and {other} does better"),
            Self::Against => {
                format!("it is not shown against which of {one} and {other} your bot does better")
            }
            Self::InWeek => {
                format!("it is not shown in which of {one} and {other} your bot does better")
            }
        }
    }
}

impl JudgedPair<'_> {
    fn is_open(&self) -> bool {
        !matches!(self.verdict, Verdict::Better | Verdict::Worse)
    }

    /// The better one and the worse one, if that is known.
    fn in_order(&self) -> Option<(&str, &str)> {
        match self.verdict {
            Verdict::Better => Some((self.one, self.other)),
            Verdict::Worse => Some((self.other, self.one)),
            Verdict::NotShown | Verdict::NoInterval => None,
        }
    }
}

/// What the pairs say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PairStanding {
    /// The sentence, without its end.
    pub(super) text: String,
    /// The one that is better than each of the others.
    pub(super) best: Option<String>,
    /// Whether it is open for some pair which is better.
    pub(super) is_open: bool,
}

impl PairStanding {
    /// Of these, whose pairs were judged as far as they met.
    pub(super) fn of(names: &[&str], pairs: &[JudgedPair<'_>], words: BetterWords) -> Self {
        let is_open = pairs.is_empty() || pairs.iter().any(JudgedPair::is_open);
        let beats = |one: &str, other: &str| {
            pairs
                .iter()
                .any(|pair| pair.in_order().is_some_and(|pair| pair == (one, other)))
        };
        let best = names
            .iter()
            .find(|one| names.iter().all(|other| one == &other || beats(one, other)));
        let best = best
            .filter(|_| names.len() > 1)
            .map(|&best| best.to_owned());
        let text = match (names, &best) {
            ([one, other], Some(best)) => {
                words.of(best, "better", if best == one { other } else { one })
            }
            ([one, other], None) => words.open(one, other),
            (_, Some(best)) => words.of(best, "better", "each of the others"),
            _ => match names
                .iter()
                .find(|name| pairs.iter().all(|pair| pair.has(name)))
            {
                Some(hub) if pairs.len() + 1 == names.len() => of_hub(hub, pairs, words),
                _ => listed_pairs(names, pairs, words),
            },
        };
        Self {
            text,
            best,
            is_open,
        }
    }
}

impl<'n> JudgedPair<'n> {
    fn has(&self, name: &str) -> bool {
        self.one == name || self.other == name
    }

    /// The other one, and the verdict on this one.
    fn against(&self, name: &str) -> (&'n str, Verdict) {
        if self.one == name {
            (self.other, self.verdict)
        } else {
            (self.one, self.verdict.of_the_other())
        }
    }
}

/// What is known of one that met each of the others, which did not meet.
fn of_hub(hub: &str, pairs: &[JudgedPair<'_>], words: BetterWords) -> String {
    let those = |wanted: fn(Verdict) -> bool| -> Vec<&str> {
        pairs
            .iter()
            .map(|pair| pair.against(hub))
            .filter(|(_, verdict)| wanted(*verdict))
            .map(|(name, _)| name)
            .collect()
    };
    let worse = those(|verdict| verdict == Verdict::Worse);
    let better = those(|verdict| verdict == Verdict::Better);
    let open = those(|verdict| matches!(verdict, Verdict::NotShown | Verdict::NoInterval));
    if open.len() == pairs.len() {
        return format!(
            "it is not shown whether {}",
            words.of(hub, "better", "any of the others")
        );
    }
    let mut said = Vec::new();
    for (names, what) in [(worse, "worse"), (better, "better")] {
        if !names.is_empty() {
            said.push(words.of(hub, what, &list(&names)));
        }
    }
    if !open.is_empty() {
        said.push(format!(
            "it is not shown whether {}",
            words.of(hub, "better", &list(&open))
        ));
    }
    said.join("; ")
}

/// Each pair of which one is better, by the better one.
fn listed_pairs(names: &[&str], pairs: &[JudgedPair<'_>], words: BetterWords) -> String {
    let mut said = Vec::new();
    for one in names {
        let worse: Vec<&str> = pairs
            .iter()
            .filter_map(JudgedPair::in_order)
            .filter(|(better, _)| better == one)
            .map(|(_, worse)| worse)
            .collect();
        if !worse.is_empty() {
            said.push(words.of(one, "better", &list(&worse)));
        }
    }
    if said.is_empty() {
        return format!(
            "no difference is shown between any two of these {}",
            names.len()
        );
    }
    if pairs.iter().any(JudgedPair::is_open) {
        said.push("no other difference is shown".to_owned());
    }
    said.join("; ")
}

/// Names in a sentence.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if names.len() > MAX_NAMES => format!("{} of the others", names.len()),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use Verdict::{Better, NoInterval, NotShown, Worse};

    use super::*;

    fn standing(names: &[&'static str], pairs: &[(usize, usize, Verdict)]) -> (String, bool) {
        let pairs: Vec<JudgedPair<'_>> = pairs
            .iter()
            .map(|&(one, other, verdict)| JudgedPair {
                one: names[one],
                other: names[other],
                verdict,
            })
            .collect();
        let PairStanding { text, is_open, .. } =
            PairStanding::of(names, &pairs, BetterWords::Strength);
        (text, is_open)
    }

    #[test]
    fn of_two_the_better_one_is_named_or_neither() {
        let two = |verdict| standing(&["kuma", "neko"], &[(0, 1, verdict)]);
        assert_eq!(two(Better), ("kuma is better than neko".to_owned(), false));
        assert_eq!(two(Worse), ("neko is better than kuma".to_owned(), false));
        for verdict in [NotShown, NoInterval] {
            assert_eq!(
                two(verdict),
                (
                    "it is not shown which of kuma and neko is better".to_owned(),
                    true
                )
            );
        }
    }

    #[test]
    fn one_that_meets_the_others_is_judged_against_each() {
        let names = ["new", "learned", "eight", "nine"];
        let gauntlet = |verdicts: [Verdict; 3]| {
            standing(
                &names,
                &[1, 2, 3].map(|other| (0, other, verdicts[other - 1])),
            )
        };
        let judged = |verdicts, text: &str, is_open| {
            assert_eq!(gauntlet(verdicts), (text.to_owned(), is_open))
        };
        judged([Better; 3], "new is better than each of the others", false);
        judged(
            [Worse, Better, Better],
            "new is worse than learned; new is better than eight and nine",
            false,
        );
        judged(
            [Worse; 3],
            "new is worse than learned, eight and nine",
            false,
        );
        judged(
            [NotShown, NoInterval, NotShown],
            "it is not shown whether new is better than any of the others",
            true,
        );
        let open =
            "new is worse than learned; it is not shown whether new is better than eight and nine";
        judged([Worse, NotShown, NotShown], open, true);
    }

    #[test]
    fn of_several_that_meet_each_other_no_more_is_said_than_the_pairs_show() {
        let names = ["a", "b", "c"];
        let robin = |verdicts: [Verdict; 3]| {
            standing(
                &names,
                &[
                    (0, 1, verdicts[0]),
                    (0, 2, verdicts[1]),
                    (1, 2, verdicts[2]),
                ],
            )
            .0
        };
        assert_eq!(
            robin([Worse, NotShown, Better]),
            "b is better than each of the others"
        );
        assert_eq!(
            robin([NotShown; 3]),
            "no difference is shown between any two of these 3"
        );
        assert_eq!(
            robin([Better, NotShown, NotShown]),
            "a is better than b; no other difference is shown"
        );
        let circle = "a is better than b; b is better than c; c is better than a";
        assert_eq!(robin([Better, Worse, Better]), circle);
    }

    #[test]
    fn long_lists_give_the_number() {
        let names: Vec<String> = (0..12).map(|number| format!("n{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let pair = |other: usize| JudgedPair {
            one: names[0],
            other: names[other],
            verdict: Worse,
        };
        let pairs: Vec<JudgedPair<'_>> = (1..12).map(pair).collect();
        assert_eq!(
            PairStanding::of(&names, &pairs, BetterWords::Strength).text,
            "n0 is worse than 11 of the others"
        );
    }
}
