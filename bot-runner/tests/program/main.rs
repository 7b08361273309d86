//! Tests of the program, from the point of view of a user who types its commands.

#[path = "../common/mod.rs"]
mod common;

#[path = "../attacks/mod.rs"]
mod attacks;

mod admission;
mod analyze;
mod botzone;
mod boundary;
mod c_policy;
mod check;
mod configs;
mod crew;
mod documents;
mod engine;
mod faults;
mod foreign_text;
mod init;
mod ladder;
mod learned;
mod lengths;
mod library;
mod login;
mod logs;
mod manual;
mod network;
mod operations;
mod output;
mod own_ladder;
mod page;
mod person;
mod play;
mod plugin;
mod program;
mod python_module;

mod records;
mod reload;
mod replay;
mod results;
mod run;
mod secrets;
mod sprt;
mod stopping;
mod swaps;
mod terminal;
mod three_players;
mod tournament;
mod tournament_conclusions;
mod tournament_files;
mod tournament_formats;
mod tournament_games;
mod tournament_time;
mod tune;
mod validate;
mod view;
