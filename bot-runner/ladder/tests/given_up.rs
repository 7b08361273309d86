//! A request that is given up. The process asks nothing for half a minute after that, so this is a
//! program of its own.

use std::time::Duration;

use ladder::LadderError;

#[allow(dead_code, reason = "each test program uses a part")]
mod server;

use server::{answer, pauses, server};

#[tokio::test]
async fn a_page_of_a_server_under_repair_is_asked_for_again_and_given_up_the_third_time() {
    let page = answer(
        "200 OK",
        "Content-Type: text/html\r\n",
        b"<!doctype html><title>\x1b[31mError</title>",
    );
    let (client, heads) = server(vec![page]).await;
    let error = client.bot(7).await.expect_err("no bot");
    assert!(
        matches!(error, LadderError::NoAnswer { tries: 3, .. }) && error.may_pass(),
        "{error}"
    );
    assert!(!error.to_string().contains('\x1b'), "{error}");
    let pauses = pauses(&heads);
    assert!(
        pauses[0] >= Duration::from_secs(2) && pauses[1] >= Duration::from_secs(8),
        "{pauses:?}"
    );
}
