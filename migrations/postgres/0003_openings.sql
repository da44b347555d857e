-- Secret choices that are open to the service and not yet turned up: of each side the one it made last. Never touched by a
-- rebuild.
create table openings (
    match_id uuid not null,
    side text not null,
    sealed text not null,
    salt text not null,
    choice text not null,
    primary key (match_id, side)
);
