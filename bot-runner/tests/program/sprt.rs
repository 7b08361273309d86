//! `sprt`: the test between two Elo differences on counts of results.

use super::program::{Finished, Runner};

fn sprt(counts: &str, elo: &str) -> Finished {
    Runner::new(["sprt", "--counts", counts, "--elo", elo]).run()
}

#[test]
fn counts_of_wins_draws_and_losses_give_the_ratio_of_the_reference_and_a_decision() {
    // fishtest's LLRcalc.LLR_logistic gives 4.087 for these results; the normal approximation, 4.12.
    let out = sprt("400,500,300", "0,10").exited(0).to_owned();
    assert_eq!(
        out.trim_end(),
        "1200 results, average score 0.5417. Of Elo 0 and +10 it is +10 (SPRT: log-likelihood ratio +4.12, bounds -2.94 \
         and +2.94; error rates 5 %)."
    );
    let worse = sprt("300,500,400", "0,10").exited(0).to_owned();
    assert!(worse.contains("Of Elo 0 and +10 it is 0 "), "{worse}");
}

#[test]
fn a_place_scores_the_share_of_the_others_behind_it() {
    let out = sprt("3,0,0,1", "0,10").exited(0).to_owned();
    assert!(out.contains("average score 0.7500"), "{out}");
    let out = sprt("0,3,0,0", "0,10").exited(0).to_owned();
    assert!(
        out.contains("average score 0.6667")
            && out.contains("It is not decided between Elo 0 and +10"),
        "{out}"
    );
}

#[test]
fn counts_that_are_no_results_are_refused_with_what_is_allowed() {
    for counts in ["", "5", "0,0,0", "-1,2", "1.5,2", "1,2000000000000"] {
        let finished = sprt(counts, "0,10");
        finished.exited(2);
        assert!(
            finished.err.contains(
                "two whole numbers or more from 0 to 1000000000000 are needed, not all 0"
            ),
            "{}",
            finished.err
        );
    }
    let finished = sprt("1,2", "10,0");
    finished.exited(2);
    assert!(
        finished.err.contains("the lower one first"),
        "{}",
        finished.err
    );
}
