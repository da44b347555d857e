-- The hour of each match's last event, and the index by it in place of the one by the event's time. Postgres can keep a
-- changed row beside its old version only while no indexed column has changed: with the time itself in an index each
-- ball made new entries in every index of the list.
do $$
begin
    alter table match_list add column last_hour bigint not null default 0;
    update match_list set last_hour = last_at / 3600000;
    drop index match_list_last_at;
    create index match_list_last_hour on match_list (last_hour);
end
$$;
