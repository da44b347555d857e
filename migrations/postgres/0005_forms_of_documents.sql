-- The form of each stored document. What an earlier version stored has form 0, counts as missing, and is made anew when
-- it is read.
do $$
begin
    alter table match_list add column form integer not null default 0;
    alter table views add column form integer not null default 0;
end
$$;
