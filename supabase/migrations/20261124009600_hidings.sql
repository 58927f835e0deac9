-- Numbers of erased people that are still to be taken out of what other people's calls tell. A row is there until that is done.
create table back_office.hidings (
  number      text primary key,
  -- Calls that were asked for later tell of the number after it was erased.
  begun_at    timestamptz not null default now(),
  -- Where it goes on: a table, and the values of the last row that was looked at. Null: from the beginning.
  place       text,
  after       jsonb,
  -- Rows of before are done. Null: none are.
  from_at     timestamptz,
  -- Calls since then ran meanwhile: they are looked at once more when they have ended. Null: there were none.
  again_from  timestamptz,
  -- Everything was looked at; calls are waited for.
  is_waiting  boolean not null default false,
  -- How many rows have told of the number.
  hidden      integer not null default 0,
  -- Until then a process is at it.
  lease_until timestamptz not null default '-infinity'
);
alter table back_office.hidings enable row level security;
revoke all on back_office.hidings from public, anon, authenticated, service_role;
