-- The log. `body` is the exact text that was hashed; `seq` is given by the writer, so two writers cannot both win.
create table events (
    match_id blob not null,
    seq integer not null check (seq > 0),
    kind text not null,
    at text not null,
    body text not null,
    hash text not null,
    primary key (match_id, seq)
) without rowid;

create trigger events_no_update before update on events
begin
    select raise(abort, 'events are append-only: UPDATE is not allowed');
end;
create trigger events_no_delete before delete on events
begin
    select raise(abort, 'events are append-only: DELETE is not allowed');
end;
-- REPLACE deletes without a word where recursive triggers are off, as they are in other people's programs.
create trigger events_no_replace before insert on events
when exists (select 1 from events where match_id = new.match_id and seq = new.seq)
begin
    select raise(abort, 'events are append-only: this event exists');
end;

-- Where each log ends. An append moves it on in the same transaction, from the seq the writer saw.
create table heads (
    match_id blob primary key,
    seq integer not null,
    hash text not null
) without rowid;

-- What stays hidden until it is turned up. Never touched by a rebuild.
create table secrets (
    match_id blob primary key,
    server_seed text not null
) without rowid;

create table tokens (
    match_id blob not null,
    role text not null,
    purpose text not null check (purpose in ('token', 'invite')),
    hash text not null,
    primary key (match_id, role, purpose)
) without rowid;

create table idempotency (
    match_id blob not null,
    actor text not null,
    key text not null,
    request text not null,
    first_seq integer not null,
    last_seq integer not null,
    primary key (match_id, actor, key)
) without rowid;

-- Projections: caches, dropped and rebuilt from the log at will.
create table match_list (
    match_id blob primary key,
    game text not null,
    home text not null,
    away text not null,
    status text not null,
    body text not null
) without rowid;
create index match_list_game on match_list (game, match_id);
create index match_list_status on match_list (status, match_id);
create index match_list_home on match_list (home, match_id);
create index match_list_away on match_list (away, match_id);

create table views (
    match_id blob not null,
    name text not null,
    hash text not null,
    body text not null,
    primary key (match_id, name)
) without rowid;

create table commentary (
    match_id blob not null,
    seq integer not null,
    body text not null,
    primary key (match_id, seq)
) without rowid;
