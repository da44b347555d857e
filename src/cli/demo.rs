//! The command `demo`: a seeded match of Howzat, played over HTTP by a service on a temporary store, then
//! scored and audited from its log file. It shows a newcomer the whole program without any set-up.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use actix_web::rt;
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::{Failure, INTERRUPTED, print, print_to_reader, run_audit, run_scorecard};
use crate::editions::Editions;
use crate::http::{Access, bind, serve};
use crate::projection::AsOf;
use crate::store::{self, CommitMode, Migrate};

const HOME: [&str; 11] = [
    "Ada Marsh",
    "Ben Okoro",
    "Cora Lindt",
    "Dev Patel",
    "Edie Fox",
    "Finn Brody",
    "Gus Hale",
    "Hana Sato",
    "Ivo Kral",
    "Jo Penn",
    "Kit Rowe",
];
const AWAY: [&str; 11] = [
    "Lena Voss",
    "Max Adeyemi",
    "Nia Quinn",
    "Otto Berg",
    "Pia Rossi",
    "Quin Daly",
    "Ravi Nair",
    "Sol Vega",
    "Tess Ward",
    "Uma Iyer",
    "Vic Stone",
];

/// Plays the match of the demo over HTTP, and prints its scorecard and its audit. Leaves a folder with the
/// log behind, and says which; if it cannot say so, since it fails, is stopped or has no reader, it leaves
/// nothing.
pub(super) async fn run(known: Editions) -> Result<ExitCode, Failure> {
    let folder = std::env::temp_dir().join(format!("third-umpire-demo-{}", std::process::id()));
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let shown = tokio::select! {
        biased;
        shown = show(&folder, known) => shown,
        _ = terminate.recv() => Ok((ExitCode::from(INTERRUPTED), false)),
        _ = interrupt.recv() => Ok((ExitCode::from(INTERRUPTED), false)),
    };
    if !matches!(shown, Ok((_, true))) {
        // The failure is what a user has to see.
        let _ = std::fs::remove_dir_all(&folder);
    }
    shown.map(|(verdict, _)| verdict)
}

/// Plays the match and prints its scorecard and its audit; says whether the folder was named to a reader.
async fn show(folder: &Path, known: Editions) -> Result<(ExitCode, bool), Failure> {
    let file = play_and_save(folder, known.clone()).await?;
    print_scorecard_and_audit(folder, &file, known)
}

/// Plays the match on a store in this folder, and leaves only its log there. Gives the file of the log.
async fn play_and_save(folder: &Path, known: Editions) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder)?;
    let url = format!("sqlite://{}", folder.join("demo.db").display());
    let store = store::open(&url, Migrate::Apply, CommitMode::Group).await?;
    let (served, running) = serve(vec![bind("127.0.0.1:0", false)?], Access::default(), known)?;
    served.open(store, CommitMode::Group)?;
    let running = rt::spawn(running);
    let base = format!("http://{}", served.address);
    print("A service on a temporary store plays a match over HTTP, and then stops.\n\n")?;
    let file = folder.join("match.ndjson");
    let played = {
        let file = file.clone();
        rt::task::spawn_blocking(move || play(&base, &file).map_err(|failure| failure.to_string())).await?
    };
    served.stop().await;
    running.await??;
    played?;
    for name in ["demo.db", "demo.db-wal", "demo.db-shm"] {
        // SQLite removes some of these files itself when it closes the database.
        let _ = std::fs::remove_file(folder.join(name));
    }
    Ok(file)
}

fn play(base: &str, file: &Path) -> Result<(), Failure> {
    let created = post(
        &format!("{base}/v1/matches"),
        None,
        &json!({
            "game": "howzat",
            "dice": "seeded",
            "home": {"name": "Harbour Road", "players": HOME},
            "away": {"name": "Mill Lane", "players": AWAY},
        }),
    )?;
    let id = created["match"]["id"].as_str().ok_or("the service gave the match no id")?;
    let token = created["tokens"]["scorer"].as_str();
    let url = format!("{base}/v1/matches/{id}");
    print(&format!(
        "Match {id} is created. The commitment to its server seed is\n  {}\n\n",
        created["match"]["commitment"]
    ))?;
    post(&format!("{url}/toss"), token, &json!({"caller": "away", "call": "tails"}))?;
    post(&format!("{url}/toss/decision"), token, &json!({"to": "bat"}))?;
    print("The first over, ball by ball:\n")?;
    for _ in 0..6 {
        let bowled = post(&format!("{url}/balls"), token, &json!({}))?;
        print(&format!("  {}\n", bowled["score"]["text"].as_str().unwrap_or_default()))?;
    }
    let finished = post(&format!("{url}/autoplay"), token, &json!({"until": "match"}))?;
    let score = finished["score"]["text"].as_str().unwrap_or_default();
    print(&format!("... and the rest of the match:\n  {score}\n\n"))?;
    let log = ureq::get(format!("{url}/log")).call()?.body_mut().read_to_string()?;
    std::fs::write(file, log)?;
    Ok(())
}

fn post(url: &str, token: Option<&str>, body: &Value) -> Result<Value, Failure> {
    let mut request = ureq::post(url).header("Content-Type", "application/json");
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let answer = request.send(body.to_string())?.body_mut().read_to_string()?;
    Ok(serde_json::from_str(&answer)?)
}

fn print_scorecard_and_audit(
    folder: &Path,
    file: &Path,
    known: Editions,
) -> Result<(ExitCode, bool), Failure> {
    let program = std::env::args().next().unwrap_or_else(|| "third-umpire".to_owned());
    let change = change_of_a_die(&std::fs::read_to_string(file)?).ok_or("the log has no die")?;
    let file = file.display().to_string();
    run_scorecard(&file, AsOf::default(), super::OutputFormat::Text, known.clone())?;
    print(&format!("\n$ {program} audit {file}\n"))?;
    let verdict = run_audit(&file, None, super::OutputFormat::Text, known)?;
    let is_read = print_to_reader(&format!(
        "\nChange a die, and audit again:\n  \
         sed '{change}' {file} | {program} audit -\n\
         Where to look next:\n  \
         {program} replay {file}\n  \
         {program} scorecard {file} --at 60\n  \
         {program} serve, then http://127.0.0.1:8080/docs in a browser\n\
         The folder of the log stays. To remove it:\n  \
         rm -r {}\n",
        folder.display()
    ))?;
    Ok((verdict, is_read))
}

/// A script for `sed` that gives the last die of the first ball in this log another number; none if no ball
/// of the log has a die.
fn change_of_a_die(log: &str) -> Option<String> {
    let (line, ball) = (1..).zip(log.lines()).find(|(_, event)| event.contains(r#""kind":"ball""#))?;
    let ball: Value = serde_json::from_str(ball).ok()?;
    let die = ball["data"]["dice"].as_array()?.last()?;
    let (name, sides, value) = (die["for"].as_str()?, die["sides"].as_u64()?, die["value"].as_u64()?);
    let written = format!(r#""for":"{name}","sides":{sides},"value":"#);
    Some(format!("{line}s/{written}{value}/{written}{}/", value % sides + 1))
}
