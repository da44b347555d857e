-- Views are kept of matches that are over; until then they are folded from the log, and commentary always is: a ball
-- is then a few short rows, whatever there is to read about the match.
drop table commentary;
delete from views where match_id in (select match_id from match_list where status in ('created', 'in_play'));

-- Rows that change with every ball stay on their page.
alter table heads set (fillfactor = 70);
alter table match_list set (fillfactor = 70);
