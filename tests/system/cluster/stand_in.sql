-- A plain Postgres that stands in for a Citus cluster: a table becomes four hash partitions, with its rows, keys,
-- indexes and triggers, as it becomes shards there. It cannot show which statements the planner of Citus refuses.
set allow_system_table_mods = on;
create table pg_catalog.pg_dist_partition (
    logicalrelid regclass primary key, partmethod "char" not null, partkey text, colocationid integer not null,
    repmodel "char" not null
);
create sequence pg_catalog.pg_dist_colocationid_seq minvalue 2;
create function pg_catalog.column_to_column_name(whole regclass, key text) returns text language sql as
    $$ select key $$;
create function pg_catalog.create_reference_table(whole regclass) returns void language sql as
    $$ insert into pg_dist_partition values (whole, 'n', null, 1, 't') $$;
create function pg_catalog.create_distributed_table(whole regclass, key text, colocate_with text default 'default')
returns void language plpgsql as $$
declare
    name text := whole::text;
    old text := 'whole_' || name;
    part text;
    triggers text[] := array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = whole and not tgisinternal);
    one text;
begin
    execute format('alter table %I rename to %I', name, old);
    execute format('create table %I (like %I including all) partition by hash (%I)', name, old, key);
    for remainder in 0..3 loop
        part := name || '_' || remainder;
        execute format('create table %I partition of %I for values with (modulus 4, remainder %s)', part, name, remainder);
        foreach one in array triggers loop
            execute replace(one, ' ON public.' || name || ' ', ' ON public.' || part || ' ');
        end loop;
    end loop;
    execute format('insert into %I select * from %I', name, old);
    execute format('drop table %I', old);
    foreach one in array triggers loop
        if one like '%FOR EACH STATEMENT%' then execute one; end if;
    end loop;
    insert into pg_dist_partition values (name::regclass, 'h', key, coalesce(
        (select colocationid from pg_dist_partition where logicalrelid::text = colocate_with),
        nextval('pg_dist_colocationid_seq')), 's');
end
$$;
