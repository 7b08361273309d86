//! The time for a decision.

use std::time::Duration;

use policy_host::Pace;
use protocol::riichilab::RequestTime;

/// The time for a decision if neither the config nor the arena sets one.
pub const DEFAULT_THINK: Duration = Duration::from_millis(3000);

/// Time from a request's arrival until the safe answer is sent: the smaller of `think` and the
/// deadline less the margin. By default, `think` is the request's free time less the margin; if
/// nothing of that is left, it is as much of the bank as the margin.
pub fn budget(think: Option<Duration>, margin: Duration, time: Option<RequestTime>) -> Duration {
    let time = time.unwrap_or_default();
    let free = |grace| {
        Some(Duration::from_millis(grace).saturating_sub(margin)).filter(|free| !free.is_zero())
    };
    let think = think.unwrap_or_else(|| {
        time.grace_ms
            .map_or(DEFAULT_THINK, |grace| free(grace).unwrap_or(margin))
    });
    match time.deadline_ms {
        Some(deadline) => think.min(Duration::from_millis(deadline).saturating_sub(margin)),
        None => think,
    }
}

/// The same for a policy that gets the question when so much of the time is spent: it may think as
/// long as always, up to the deadline less the margin.
pub fn budget_after(
    spent: Duration,
    Pace { think, margin, .. }: Pace,
    time: Option<RequestTime>,
) -> Duration {
    if spent.is_zero() {
        return budget(think, margin, time);
    }
    budget(Some(spent + budget(think, margin, time)), margin, time)
}

#[cfg(test)]
mod tests {
    use policy_host::ReloadMode;

    use super::*;

    const MARGIN: Duration = Duration::from_millis(250);

    fn time(grace_ms: u64, bank_ms: u64) -> Option<RequestTime> {
        Some(RequestTime {
            bank_ms: Some(bank_ms),
            deadline_ms: Some(grace_ms + bank_ms),
            grace_ms: Some(grace_ms),
        })
    }

    #[test]
    fn left_alone_a_decision_takes_the_free_time_less_the_margin() {
        assert_eq!(
            budget(None, MARGIN, time(3000, 15000)),
            Duration::from_millis(2750)
        );
    }

    #[test]
    fn think_time_may_reach_into_the_bank_but_not_past_the_deadline_less_the_margin() {
        let think = Some(Duration::from_secs(10));
        assert_eq!(
            budget(think, MARGIN, time(3000, 15000)),
            Duration::from_secs(10)
        );
        assert_eq!(
            budget(think, MARGIN, time(3000, 0)),
            Duration::from_millis(2750)
        );
    }

    #[test]
    fn without_a_word_of_the_arena_it_is_three_seconds() {
        assert_eq!(budget(None, MARGIN, None), DEFAULT_THINK);
        assert_eq!(
            budget(Some(Duration::from_millis(100)), MARGIN, None),
            Duration::from_millis(100)
        );
    }

    #[test]
    fn free_time_within_the_margin_is_no_reason_to_decide_nothing_while_there_is_a_bank() {
        assert_eq!(budget(None, MARGIN, time(200, 15000)), MARGIN);
        assert_eq!(
            budget(None, MARGIN, time(200, 100)),
            Duration::from_millis(50)
        );
    }

    #[test]
    fn a_policy_that_gets_a_question_later_has_its_own_time_up_to_the_deadline() {
        let pace = |think| Pace {
            think,
            margin: MARGIN,
            reload: ReloadMode::Decision,
        };
        let seconds = Duration::from_secs;
        let spent = |spent, think| budget_after(seconds(spent), pace(think), time(3000, 15000));
        assert_eq!(spent(0, None), Duration::from_millis(2750));
        assert_eq!(spent(10, None), Duration::from_millis(12_750));
        assert_eq!(spent(10, Some(seconds(1))), seconds(11));
        assert_eq!(spent(17, Some(seconds(1))), Duration::from_millis(17_750));
        assert_eq!(
            budget_after(seconds(10), pace(None), None),
            seconds(10) + DEFAULT_THINK
        );
    }

    #[test]
    fn a_deadline_within_the_margin_leaves_no_time() {
        assert_eq!(budget(None, MARGIN, time(200, 0)), Duration::ZERO);
    }
}
