//! Reads the data of pages as their script does.

use serde_json::{Value, json};
use view::page::{Page, Step};

/// Puts what changed into a value, as `position.js` does.
fn put(value: &mut Value, changed: &Value) {
    let Value::Object(parts) = changed else {
        *value = changed.clone();
        return;
    };
    if value.is_null() {
        *value = json!({});
    }
    for (name, part) in parts {
        let index = name.parse::<usize>();
        let place = match (value.as_array_mut(), index) {
            (Some(list), Ok(index)) => {
                if list.len() == index {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
            _ => &mut value[name.as_str()],
        };
        put(place, part);
    }
}

/// Compares the positions in the page's data, each decoded from its difference, with the page's
/// own.
pub(crate) fn check_told(page: &Page) {
    let data: Value = serde_json::from_str(&page.json()).expect("JSON");
    for (round, told) in page
        .rounds
        .iter()
        .zip(data["rounds"].as_array().expect("rounds"))
    {
        let mut position = Value::Null;
        let steps = told["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), round.steps.len());
        for (
            Step {
                words,
                position: expected,
                ..
            },
            step,
        ) in round.steps.iter().zip(steps)
        {
            put(&mut position, &step[2]);
            assert_eq!(
                position,
                serde_json::to_value(expected).expect("JSON"),
                "{}: {words}",
                round.name
            );
            assert_eq!(step[0], *words);
        }
    }
}
