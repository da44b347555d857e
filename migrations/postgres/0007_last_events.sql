-- The time of each match's last event, in milliseconds, by which the match list can be ordered. The update joins by
-- match alone, so that each machine of a cluster makes it for its own matches. A cluster refuses a function of columns
-- that depends on the session's time zone, so the zone is named.
do $$
begin
    alter table match_list add column last_at bigint not null default 0;
    update match_list set last_at = round(extract(epoch from events.at at time zone 'UTC') * 1000)::bigint
    from heads join events using (match_id, seq)
    where heads.match_id = match_list.match_id;
    create index match_list_last_at on match_list (last_at, match_id);
end
$$;
