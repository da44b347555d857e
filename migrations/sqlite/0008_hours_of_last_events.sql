-- The hour of each match's last event, and the index by it in place of the one by the event's time.
alter table match_list add column last_hour integer not null default 0;
update match_list set last_hour = last_at / 3600000;
drop index match_list_last_at;
create index match_list_last_hour on match_list (last_hour);
