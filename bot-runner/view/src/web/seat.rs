//! The page of a person's seat: its link, its feed and its answers.
//!
//! A browser takes a seat once, with the token of the link, and gets a cookie for it. Only that
//! browser gets the feed, which holds what the seat knows, and only it may answer.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use axum::routing::{get, post};
use builtin::ValueUnit;
use futures_util::StreamExt;
use futures_util::stream::{Stream, iter, unfold};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::app::{App, asset, too_many_pages};
use super::feed::{MAX_SILENCE, Site};
use super::rounds::{SeatRounds, clean};
use super::texts::shown;
use crate::person::{
    AdviceNews, AdviceVersions, ComparedRound, Hint, PersonRefusal, PersonSeat, PresentPage,
    SameWall,
};

/// The path of the page; everything else of the seat is below it.
const SEAT: &str = "/seat";

/// The link's path. Browsers send no fragment, so that the token is in no request for a page.
pub(super) fn seat_path(seat: &PersonSeat) -> String {
    format!("{SEAT}#{}", seat.token())
}

/// Whether a path is one that a seat's page needs.
pub(super) fn is_of_seat(path: &str) -> bool {
    let below = path.strip_prefix(SEAT);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        || path.starts_with("/assets/")
}

pub(super) fn seat_routes() -> Router<App> {
    Router::new()
        .route(SEAT, get(document))
        .route("/seat/take", post(take))
        .route("/seat/events", get(events))
        .route("/seat/answer", post(answer))
        .route("/seat/give-back", post(give_back))
}

/// A refusal, in words for the page.
type Refusal = (StatusCode, String);

fn refusal(status: StatusCode, words: impl Into<String>) -> Refusal {
    (status, words.into() + "\n")
}

fn refused(status: StatusCode, words: impl Into<String>) -> Response {
    refusal(status, words).into_response()
}

fn no_seat() -> Response {
    refused(StatusCode::NOT_FOUND, "no person plays here")
}

fn not_holder() -> Response {
    refused(
        StatusCode::FORBIDDEN,
        "this browser has not taken the seat: open the link that the runner printed",
    )
}

/// Whether a request comes from a page of this server. Browsers say so for every request that
/// changes something.
fn is_own_site(headers: &HeaderMap) -> bool {
    let only = |name: &header::HeaderName| {
        let mut values = headers.get_all(name).iter();
        let value = values.next()?.to_str().ok()?;
        values.next().is_none().then_some(value)
    };
    let origin = only(&header::ORIGIN).and_then(|origin| origin.parse::<Uri>().ok());
    let host = only(&header::HOST).and_then(|host| host.parse::<Authority>().ok());
    let site = only(&header::HeaderName::from_static("sec-fetch-site"));
    origin
        .as_ref()
        .and_then(Uri::authority)
        .zip(host.as_ref())
        .is_some_and(|(origin, host)| origin == host)
        && site.is_none_or(|site| site == "same-origin")
}

/// What the seat's own page asks, in JSON, which another site cannot send without permission.
///
/// # Errors
///
/// The refusal.
fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Refusal> {
    if !is_own_site(headers) {
        let words = "the request comes from another site, and a seat obeys only its own page";
        return Err(refusal(StatusCode::FORBIDDEN, words));
    }
    let kind = headers.get(header::CONTENT_TYPE);
    if kind.is_none_or(|kind| kind != "application/json") {
        let words = "the request is not application/json";
        return Err(refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    serde_json::from_slice(body)
        .map_err(|error| refusal(StatusCode::BAD_REQUEST, format!("the request: {error}")))
}

/// The name of the cookie. Cookies ignore ports.
fn cookie(app: &App) -> String {
    format!("bot-runner-seat-{}", app.access.port())
}

/// The seat that the browser of a request has taken.
fn held(app: &App, headers: &HeaderMap) -> Option<PersonSeat> {
    let name = cookie(app);
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let sessions: Vec<&str> = cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(|(key, value)| (key == name).then_some(value))
        .collect();
    let mut seats = app.site.subject.seats().into_iter();
    seats.find(|seat| sessions.iter().any(|session| seat.is_holder(session)))
}

/// Whether no person plays here.
fn has_no_seat(app: &App) -> bool {
    app.site.subject.people().is_empty()
}

async fn document(State(app): State<App>) -> Response {
    if has_no_seat(&app) {
        return no_seat();
    }
    asset(Path("seat.html".to_owned())).await
}

#[derive(Deserialize)]
struct Take {
    /// Empty from a browser that has taken the seat.
    #[serde(default)]
    token: String,
}

/// Takes the seat of a token, or finds that this browser has one.
async fn take(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Response {
    if has_no_seat(&app) {
        return no_seat();
    }
    let Take { token } = match read(&headers, &body) {
        Ok(asked) => asked,
        Err(refusal) => return refusal.into_response(),
    };
    let seats = app.site.subject.seats();
    let is_another = |other: &PersonSeat| !other.opens(&token);
    let lends = |seat: &PersonSeat| seat.is_lent() && seat.opens(&token);
    if seats.iter().any(lends) && held(&app, &headers).is_some_and(|held| is_another(&held)) {
        return refused(
            StatusCode::CONFLICT,
            "this browser plays another seat: give that one back first, or use another browser",
        );
    }
    if let Some(session) = seats.iter().find_map(|seat| seat.take(&token)) {
        let cookie = format!(
            "{}={session}; Path={SEAT}; HttpOnly; SameSite=Strict",
            cookie(&app)
        );
        return (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response();
    }
    if held(&app, &headers).is_some() {
        return StatusCode::NO_CONTENT.into_response();
    }
    let its = seats.iter().find(|seat| seat.opens(&token));
    if its.map_or(seats.iter().all(PersonSeat::is_taken), PersonSeat::is_taken) {
        return refused(
            StatusCode::FORBIDDEN,
            "the seat is taken: its link was used, and it works once",
        );
    }
    not_holder()
}

#[derive(Deserialize)]
struct PersonAnswer {
    question: u64,
    action: usize,
}

async fn answer(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Response {
    if has_no_seat(&app) {
        return no_seat();
    }
    let read = read(&headers, &body);
    let Some(seat) = held(&app, &headers) else {
        return not_holder();
    };
    let PersonAnswer { question, action } = match read {
        Ok(answer) => answer,
        Err(refusal) => return refusal.into_response(),
    };
    match seat.answer(question, action) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why @ PersonRefusal::NotOpen) => refused(StatusCode::CONFLICT, why.to_string()),
        Err(why @ PersonRefusal::NoSuchAction) => {
            refused(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())
        }
    }
}

/// Gives the seat of a bot back to its policy.
async fn give_back(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Response {
    if has_no_seat(&app) {
        return no_seat();
    }
    let read = read::<Value>(&headers, &body);
    let Some(seat) = held(&app, &headers) else {
        return not_holder();
    };
    if let Err(refusal) = read {
        return refusal.into_response();
    }
    if !seat.is_lent() {
        let words = "this seat is the person's own, and no policy waits for it";
        return refused(StatusCode::CONFLICT, words);
    }
    seat.give_back();
    StatusCode::NO_CONTENT.into_response()
}

async fn events(State(app): State<App>, headers: HeaderMap) -> Response {
    if has_no_seat(&app) {
        return no_seat();
    }
    let Some(seat) = held(&app, &headers) else {
        return not_holder();
    };
    let Ok(room) = Arc::clone(&app.open).try_acquire_owned() else {
        return too_many_pages();
    };
    seat_feed(Arc::clone(&app.site), seat, room).into_response()
}

/// What an open page of the seat has received.
struct OpenSeat<P> {
    site: Arc<Site>,
    seat: PersonSeat,
    _present: PresentPage,
    rounds: SeatRounds,
    round_changes: watch::Receiver<u64>,
    question_changes: watch::Receiver<()>,
    advice_changes: watch::Receiver<()>,
    advice: Option<AdviceVersions>,
    same_wall_changes: watch::Receiver<Option<SameWall>>,
    /// Number of the question that was sent last, and whether it was open.
    sent: Option<Option<u64>>,
    begun: bool,
    over: bool,
    _room: P,
}

impl<P> OpenSeat<P> {
    /// Waits for something new.
    async fn changed(&mut self) {
        // The senders live as long as the seat.
        tokio::select! {
            _ = self.round_changes.changed() => {}
            _ = self.question_changes.changed() => {}
            _ = self.advice_changes.changed() => {}
            // `news` sees the change, too.
            _ = self.same_wall_changes.changed() => self.same_wall_changes.mark_changed(),
            () = self.site.over.cancelled() => {}
        }
    }

    fn news(&mut self) -> Vec<Event> {
        let is_first = !std::mem::replace(&mut self.begun, true);
        if self.seat.is_given_back() {
            self.over = true;
            return vec![Event::default().event("left").data("{}")];
        }
        self.over = self.site.over.is_cancelled();
        let lent = is_first && self.seat.is_lent();
        let lent = lent.then(|| json!({"bot": shown(self.seat.name())}));
        let lent = lent.map(|lent| Event::default().event("lent").data(lent.to_string()));
        let again = self.seat.again().filter(|_| is_first);
        let again = again.map(|again| Event::default().event("again").data(written(again)));
        let rounds = self.rounds.news().into_iter();
        let rounds = rounds.map(|json| Event::default().event("round").data(json));
        let first = lent.into_iter().chain(again);
        let mut news: Vec<Event> = first.chain(rounds).collect();
        let question = self.seat.question();
        let number = question.as_ref().map(|question| question.number);
        if self.sent != Some(number) {
            self.sent = Some(number);
            news.push(Event::default().event("question").data(written(&question)));
        }
        if let Some(of_adviser) = self.seat.advice().news(&mut self.advice) {
            news.extend(advice_events(of_adviser));
        }
        if is_first || self.same_wall_changes.has_changed().unwrap_or(false) {
            let wall = self.same_wall_changes.borrow_and_update();
            let json = wall.as_ref().map(same_wall_json);
            news.extend(
                json.map(|json| Event::default().event("same_wall").data(json.to_string())),
            );
        }
        if self.over {
            news.push(Event::default().event("over").data("{}"));
        }
        news
    }
}

fn written(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("texts and numbers always have a JSON form")
}

/// What is new of the adviser, with texts cleaned for display.
fn advice_events(news: AdviceNews) -> impl Iterator<Item = Event> {
    let AdviceNews {
        adviser,
        ended,
        hint,
        rounds,
    } = news;
    let hint = hint.map(|hint| {
        let (question, said) = match hint {
            None => (None, None),
            Some(Hint { question, said }) => (Some(question), Some(said)),
        };
        let (page, trouble) = match said {
            None => (None, None),
            Some(Err(why)) => (None, Some(shown(&why))),
            Some(Ok(mut page)) => {
                page.decisions.iter_mut().for_each(clean);
                let page: Value = serde_json::from_str(&page.json()).expect("a page is JSON");
                (Some(page), None)
            }
        };
        json!({
            "adviser": shown(&adviser),
            "ended": ended.as_deref().map(shown),
            "question": question,
            "page": page,
            "trouble": trouble,
        })
    });
    let rounds = rounds.map(|rounds| rounds.iter().map(round_json).collect());
    let event =
        |name: &'static str| move |json: Value| Event::default().event(name).data(json.to_string());
    let hint = hint.map(event("advice"));
    hint.into_iter().chain(rounds.map(event("compared")))
}

fn same_wall_json(SameWall { game, games, rows }: &SameWall) -> Value {
    let rows = rows.iter().map(|row| {
        let loss = |(unit, value): &(ValueUnit, f64)| json!({"value": value, "unit": unit.name()});
        let losses = row.losses.as_ref();
        let losses = losses.map(|losses| losses.iter().map(loss).collect::<Vec<_>>());
        json!({
            "name": shown(&row.name),
            "policy": row.policy.as_deref().map(shown),
            "place": row.place,
            "score": row.score,
            "losses": losses,
        })
    });
    json!({"game": game, "games": games, "rows": rows.collect::<Vec<_>>()})
}

fn round_json(round: &ComparedRound) -> Value {
    let differences = round.differences.iter().map(|difference| {
        json!({
            "moment": difference.moment,
            "done": difference.done,
            "advised": difference.advised,
            "reason": shown(&difference.reason),
            "loss": difference.loss.as_ref().map(|loss| loss.json()),
        })
    });
    json!({
        "made": round.made,
        "compared": round.compared,
        "differences": differences.collect::<Vec<_>>(),
    })
}

/// The events for a page of the seat; `room` is its permit among the open pages.
fn seat_feed<P: Send + 'static>(
    site: Arc<Site>,
    seat: PersonSeat,
    room: P,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + Send> {
    let page = OpenSeat {
        site,
        rounds: SeatRounds::new(seat.clone()),
        round_changes: seat.round().changes(),
        question_changes: seat.changes(),
        advice_changes: seat.advice().changes(),
        advice: None,
        same_wall_changes: seat.same_wall(),
        _present: seat.page(),
        seat,
        sent: None,
        begun: false,
        over: false,
        _room: room,
    };
    let news = unfold(page, |mut page| async move {
        if page.over {
            return None;
        }
        if page.begun {
            page.changed().await;
        }
        let news = page.news();
        Some((iter(news.into_iter().map(Ok)), page))
    });
    Sse::new(news.flatten()).keep_alive(KeepAlive::new().interval(MAX_SILENCE))
}
