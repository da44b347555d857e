-- Editions of games' components, by the SHA-256 of their canonical form, which is `body`. Matches name them in their first
-- event and cannot be read without them, so they stay what they are for ever.
create table editions (
    sha256 text primary key,
    game text not null,
    id text not null,
    body text not null
) without rowid;

create trigger editions_no_update before update on editions
begin
    select raise(abort, 'editions are append-only: UPDATE is not allowed');
end;
create trigger editions_no_delete before delete on editions
begin
    select raise(abort, 'editions are append-only: DELETE is not allowed');
end;
create trigger editions_no_replace before insert on editions
when exists (select 1 from editions where sha256 = new.sha256)
begin
    select raise(abort, 'editions are append-only: this edition exists');
end;
