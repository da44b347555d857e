-- The event as of which each row of the match list is true. It can be behind the log: a ball is answered before the row
-- of its match is written. The update joins by match alone, so that each machine of a cluster makes it for its own
-- matches.
do $$
begin
    alter table match_list add column seq bigint not null default 0;
    update match_list set seq = heads.seq from heads where heads.match_id = match_list.match_id;
end
$$;
