-- More purposes of tokens, and the time at which a scoring invite ends, in milliseconds. It is 0 for every other
-- purpose, and once the invite was used. SQLite changes no check of a table, so the table is made anew.
create table tokens_of_more_purposes (
    match_id blob not null,
    role text not null,
    purpose text not null check (purpose in ('token', 'invite', 'creation', 'scoring_invite', 'replaced')),
    hash text not null,
    ends_at integer not null default 0,
    primary key (match_id, role, purpose)
) without rowid;
insert into tokens_of_more_purposes (match_id, role, purpose, hash) select match_id, role, purpose, hash from tokens;
drop table tokens;
alter table tokens_of_more_purposes rename to tokens;
