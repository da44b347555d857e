-- The store's own random id, by which a client knows one store from another at the same address. It goes with a backup,
-- and nothing changes it.
create table store_identity as select replace(gen_random_uuid()::text, '-', '') as id;
