-- Spreads the tables over the machines of a cluster: run this at the coordinator after each migration. What is spread
-- already stays as it is.
begin;
set local citus.enable_unsafe_triggers = on;
do $$
declare
    by_match constant text[] := '{by_match}';
    reference constant text[] := '{reference}';
    one text;
    method text;
    key text;
    place integer;
    model text;
    heads_place integer;
begin
    if to_regclass('pg_dist_partition') is null then
        raise exception 'this database has no Citus: run `create extension citus` on each machine first';
    end if;
    foreach one in array by_match || reference loop
        if to_regclass(one) is null then
            raise exception 'the table % is missing: run `third-umpire migrate` at the coordinator first', one;
        end if;
    end loop;
    -- A shard has the name of its table and a number.
    for one in select relname from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
            and regexp_replace(relname, '_[0-9]+$', '') <> all (by_match || reference)
    loop
        raise warning 'the table % is none of this version of third-umpire, and stays where it is', one;
    end loop;
    foreach one in array by_match loop
        select partmethod::text, column_to_column_name(logicalrelid, partkey), colocationid into method, key, place
            from pg_dist_partition where logicalrelid = one::regclass;
        if method <> 'h' then
            raise exception 'the table % is spread in another way than by match: `undistribute_table` first', one;
        elsif key <> 'match_id' then
            raise exception 'the table % is spread by %, and has to be by match_id: `undistribute_table` first', one, key;
        elsif one <> 'heads' and place <> heads_place then
            raise exception 'the table % is spread apart from heads, and has to stand where heads does: `undistribute_table` first', one;
        elsif method is null and one = 'heads' then
            perform create_distributed_table(one, 'match_id');
        elsif method is null then
            perform create_distributed_table(one, 'match_id', colocate_with => 'heads');
        end if;
        if one = 'heads' then
            select colocationid into heads_place from pg_dist_partition where logicalrelid = one::regclass;
        end if;
    end loop;
    foreach one in array reference loop
        select partmethod::text, repmodel::text into method, model
            from pg_dist_partition where logicalrelid = one::regclass;
        if method <> 'n' then
            raise exception 'the table % is spread, and every machine needs it: `undistribute_table` first', one;
        elsif model <> 't' then
            raise exception 'the table % is on one machine, and has to be a reference table: `undistribute_table` first', one;
        elsif method is null then
            perform create_reference_table(one);
        end if;
    end loop;
end
$$;
commit;
