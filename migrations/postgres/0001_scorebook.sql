-- The log. `body` is the exact text that was hashed; `seq` is given by the writer, so two writers cannot both win.
create table events (
    match_id uuid not null,
    seq bigint not null check (seq > 0),
    kind text not null,
    at timestamptz not null,
    body text not null,
    hash text not null,
    primary key (match_id, seq)
);

create function events_are_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'events are append-only: % is not allowed', tg_op using errcode = 'integrity_constraint_violation';
end
$$;

create trigger events_no_change before update or delete on events
    for each row execute function events_are_append_only();
create trigger events_no_truncate before truncate on events
    for each statement execute function events_are_append_only();

-- Where each log ends. An append moves it on in the same transaction, from the seq the writer saw.
create table heads (
    match_id uuid primary key,
    seq bigint not null,
    hash text not null
);

-- What stays hidden until it is turned up. Never touched by a rebuild.
create table secrets (
    match_id uuid primary key,
    server_seed text not null
);

create table tokens (
    match_id uuid not null,
    role text not null,
    purpose text not null check (purpose in ('token', 'invite')),
    hash text not null,
    primary key (match_id, role, purpose)
);

create table idempotency (
    match_id uuid not null,
    actor text not null,
    key text not null,
    request text not null,
    first_seq bigint not null,
    last_seq bigint not null,
    primary key (match_id, actor, key)
);

-- Projections: caches, dropped and rebuilt from the log at will.
create table match_list (
    match_id uuid primary key,
    game text not null,
    home text not null,
    away text not null,
    status text not null,
    body text not null
);
create index match_list_game on match_list (game, match_id);
create index match_list_status on match_list (status, match_id);
create index match_list_home on match_list (home, match_id);
create index match_list_away on match_list (away, match_id);

create table views (
    match_id uuid not null,
    name text not null,
    hash text not null,
    body text not null,
    primary key (match_id, name)
);

create table commentary (
    match_id uuid not null,
    seq bigint not null,
    body text not null,
    primary key (match_id, seq)
);
