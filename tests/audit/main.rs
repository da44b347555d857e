//! What an audit proves of a match log, and what it finds in one that was changed after the match.

mod anew;
mod audited;
mod authors;
mod balls;
mod balls_missing;
mod balls_put_in;
mod board;
mod bytes;
mod changed_choices;
mod clean;
mod corrections;
mod cricket_the_game;
mod diff;
mod end;
mod leaves;
mod order;
mod overs;
mod properties;
mod refits;
mod restores;
mod reviews;
mod sides;
mod start_and_end;
mod stored_logs;
mod unseen;
mod writing;
