-- More purposes of tokens, and the time at which a scoring invite ends, in milliseconds. It is 0 for every other
-- purpose, and once the invite was used.
do $$
begin
    alter table tokens add column ends_at bigint not null default 0;
    alter table tokens drop constraint tokens_purpose_check;
    alter table tokens add constraint tokens_purpose_check
        check (purpose in ('token', 'invite', 'creation', 'scoring_invite', 'replaced'));
end
$$;
