-- Editions of games' components, by the SHA-256 of their canonical form, which is `body`. Matches name them in their first
-- event and cannot be read without them, so they stay what they are for ever.
create table editions (
    sha256 text primary key,
    game text not null,
    id text not null,
    body text not null
);

create function editions_are_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'editions are append-only: % is not allowed', tg_op using errcode = 'integrity_constraint_violation';
end
$$;

create trigger editions_no_change before update or delete on editions
    for each row execute function editions_are_append_only();
create trigger editions_no_truncate before truncate on editions
    for each statement execute function editions_are_append_only();
