-- The time of each match's last event, in milliseconds, by which the match list can be ordered.
do $$
begin
    alter table match_list add column last_at bigint not null default 0;
    update match_list set last_at = (
        select round(extract(epoch from at) * 1000)::bigint from events join heads using (match_id, seq)
        where heads.match_id = match_list.match_id
    ) where match_id in (select match_id from heads join events using (match_id, seq));
    create index match_list_last_at on match_list (last_at, match_id);
end
$$;
