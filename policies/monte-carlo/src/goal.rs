//! The parameter `goal`.

use calculator::Goal;
use policy_sdk::{BadParameter, Param, Params};

/// The parameter.
pub(crate) const PARAM: Param = Param::text(
    "goal",
    "place",
    "The goal to maximise: \"place\", \"points\", or the value of each place, first to last, as in \"90, 45, 0, -135\".",
);

/// Reads the parameter.
pub(crate) fn read(params: &Params) -> Result<Goal, BadParameter> {
    let text = params.text("goal")?;
    parse(text).ok_or_else(|| BadParameter {
        name: "goal".to_owned(),
        found: format!("{text:?}"),
        allowed: "\"place\", \"points\", or four numbers with commas between them, as in \"90, 45, 0, -135\""
            .to_owned(),
    })
}

fn parse(text: &str) -> Option<Goal> {
    match text.trim() {
        "place" => return Some(Goal::Place),
        "points" => return Some(Goal::Points),
        _ => {}
    }
    let values = text.split(',').map(|value| value.trim().parse::<f64>().ok().filter(|value| value.is_finite()));
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    Some(Goal::Places(values.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_place_points_or_four_numbers() {
        assert_eq!(parse("place"), Some(Goal::Place));
        assert_eq!(parse("points"), Some(Goal::Points));
        assert_eq!(parse("90, 45,0, -135"), Some(Goal::Places([90.0, 45.0, 0.0, -135.0])));
        for wrong in ["", "places", "1, 2, 3", "1, 2, 3, 4, 5", "1, 2, 3, x", "1, 2, 3, NaN"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }
}
