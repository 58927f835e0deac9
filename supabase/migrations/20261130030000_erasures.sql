-- Who was erased lately: what was asked for before and would be stored after is not stored. A slug in lower case or a number, as a SHA-256 hash
-- in hexadecimal digits. `seq` puts erasures into an order that no clock changes.
create table call_desk.erasures (
  id        text primary key,
  kind      text not null check (kind in ('slug', 'number')),
  seq       bigint generated always as identity unique,
  erased_at timestamptz not null default now()
);
alter table call_desk.erasures enable row level security;
revoke all on call_desk.erasures from public, anon, authenticated;
