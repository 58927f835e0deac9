import { DATABASES } from '@heyline/database/testing'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { KEYS, type RunningBackend, runBackend } from './running-backend.js'

const TABLES = `
  create table public.places (
    id int primary key,
    name text not null unique,
    tags text[] not null default '{}',
    seats int4range,
    rating numeric(3, 1) check (rating <= 5),
    open boolean,
    details jsonb,
    notes json,
    opened timestamptz
  );
  create table public.stays (place int, night date, guest text, primary key (place, night));
  create table public.lines (text text);
  grant all on public.places, public.stays, public.lines to service_role;
  grant select (id, name) on public.places to anon;
`

const FUNCTIONS = `
  create function public.add(a int, b int default 10) returns int language sql immutable as 'select a + b';
  create function public.nothing() returns void language sql as '';
  create function public.note(text text) returns void language sql as 'insert into public.lines values (text)';
  create function public.numbers(up_to int) returns setof int language sql immutable as 'select generate_series(1, up_to)';
  create function public.best() returns public.places language sql stable as
    'select * from public.places order by rating desc nulls last, id limit 1';
  create function public.rated(minimum numeric default 0) returns setof public.places language sql stable as
    'select * from public.places where rating >= minimum';
  create function public.pairs(n int) returns table (number int, square int) language sql immutable as
    'select i, i * i from generate_series(1, n) i';
  create function public.split(whole text, out first text, out rest text) language sql immutable as
    $$ select left(whole, 1), substr(whole, 2) $$;
  create function public.echo(json) returns json language sql immutable as 'select $1';
  create function public.joined(words text[], sep text default ' ') returns text language sql immutable as
    'select array_to_string(words, sep)';
  create function public.longest(variadic words text[]) returns text language sql immutable as
    'select w from unnest(words) w order by length(w) desc limit 1';
  create function public.kind(v int) returns text language sql immutable as $$ select 'int' $$;
  create function public.kind(v text) returns text language sql immutable as $$ select 'text' $$;
  create function public.empty() returns text language sql immutable as 'select null::text';
  create function public.fails() returns int language plpgsql as
    $$ begin raise exception 'no luck' using detail = 'none', hint = 'try again', errcode = 'PT418'; end $$;
  create function public.trigger_function() returns trigger language plpgsql as 'begin return new; end';
  create function public.any_of(v anyelement) returns anyelement language sql immutable as 'select v';
  create function public.text_of(v anyelement) returns text language sql immutable as 'select v::text';
  create procedure public.a_procedure() language sql as '';
  create schema hidden;
  create function hidden.inner_secret() returns text language sql as $$ select 'canary' $$;
  create function public.staff_only() returns text language sql as $$ select 'canary' $$;
  revoke execute on all functions in schema public from public, anon;
  grant execute on all functions in schema public to service_role;
  grant execute on function public.add(int, int), public.note(text) to anon;
`

const ROWS = `
  delete from public.places; delete from public.stays; delete from public.lines;
  insert into public.places values
    (1, 'Harbour Café', '{food,sea}', '[10,20)', 4.5, true,
      '{"address":{"city":"Leith","lines":["1 Quay",null]},"stars":4}', '{"a":1.50}', '2020-01-02T03:04:05Z'),
    (2, 'Old Mill', '{food}', '[20,40)', 3.0, false, '{"address":{"city":"Crail"},"stars":5}', null, null),
    (3, 'a,(b)"c', '{}', null, null, null, null, null, '2021-01-01T00:00:00Z');
`

export interface Places {
  backend: RunningBackend
  /** With the secret key. */
  client: SupabaseClient
  /** With the public key. */
  anon: SupabaseClient
}

/** Runs the tests with the real client over HTTP, on every database; each test finds the same three places. */
export function describePlaces(name: string, tests: (places: Places) => void): void {
  describe.each(DATABASES)(`${name}, on $name`, ({ open }) => {
    const places = {} as Places
    beforeAll(async () => {
      const backend = await runBackend({}, { open })
      Object.assign(places, {
        backend,
        client: backend.client(KEYS.secret),
        anon: backend.client(KEYS.publishable),
      })
      await backend.db.exec(TABLES + FUNCTIONS)
    })
    afterAll(() => places.backend.close())
    beforeEach(() => places.backend.db.exec(ROWS))
    tests(places)
  })
}
