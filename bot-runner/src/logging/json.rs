//! A log line as a flat JSON object: the fields of its spans, such as `bot` and `game`, appear next
//! to the line's own fields.

use std::fmt;

use foreign_text::escaped_json;
use serde_json::{Map, Value};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::{LookupSpan, Scope};

/// Writes such lines; `N` must write fields as JSON.
#[derive(Debug)]
pub(super) struct Flat;

impl<S, N> FormatEvent<S, N> for Flat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Map::new();
        for span in context.event_scope().into_iter().flat_map(Scope::from_root) {
            if let Some(fields) = span.extensions().get::<FormattedFields<N>>() {
                line.extend(object(fields));
            }
        }
        let mut fields = String::new();
        context.format_fields(Writer::new(&mut fields), event)?;
        line.extend(object(&fields));
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let metadata = event.metadata();
        line.insert("timestamp".to_owned(), timestamp.into());
        line.insert("level".to_owned(), metadata.level().as_str().into());
        line.insert("target".to_owned(), metadata.target().into());
        writeln!(writer, "{}", escaped_json(&Value::Object(line).to_string()))
    }
}

fn object(fields: &str) -> Map<String, Value> {
    serde_json::from_str(fields).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use serde_json::json;
    use tracing_subscriber::fmt::format::JsonFields;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .expect("no other thread panics while holding it")
                .write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn fields_of_spans_appear_next_to_the_lines_own_fields() {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(JsonFields::new())
            .event_format(Flat)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            let _bot = tracing::info_span!("bot", bot = "kuma").entered();
            tracing::info_span!("game", game = 3_u32)
                .in_scope(|| tracing::warn!(count = 2, "a \"word\"\nof warning"));
            tracing::info!("after it");
        });
        let text = String::from_utf8(
            lines
                .0
                .lock()
                .expect("no other thread panics while holding it")
                .clone(),
        )
        .expect("UTF-8");
        let mut read: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        for line in &mut read {
            let time = line
                .as_object_mut()
                .and_then(|line| line.remove("timestamp"))
                .expect("there is one");
            assert!(
                time.as_str().is_some_and(|time| time.ends_with('Z')),
                "{time}"
            );
        }
        let target = module_path!();
        assert_eq!(
            read,
            [
                json!({"bot": "kuma", "game": 3, "count": 2, "level": "WARN", "message": "a \"word\"\nof warning", "target": target}),
                json!({"bot": "kuma", "level": "INFO", "message": "after it", "target": target}),
            ]
        );
    }
}
