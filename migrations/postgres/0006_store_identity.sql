-- The store's own random id, by which a client knows one store from another at the same address. It goes with a backup,
-- and nothing changes it. By its primary key a cluster can copy the table to a machine that joins later.
do $$
begin
    create table store_identity (id text primary key);
    insert into store_identity values (replace(gen_random_uuid()::text, '-', ''));
end
$$;
