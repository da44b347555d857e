-- The event as of which each row of the match list is true. It can be behind the log: a ball is answered before the row
-- of its match is written.
alter table match_list add column seq integer not null default 0;
update match_list set seq = (select seq from heads where heads.match_id = match_list.match_id)
where match_id in (select match_id from heads);
