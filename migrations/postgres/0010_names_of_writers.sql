-- The name that the holder of a token has given to the device; empty where it has given none.
alter table tokens add column name text not null default '';
