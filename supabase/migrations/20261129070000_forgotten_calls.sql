-- Browser calls whose records were erased or removed: a hosted platform's list and messages go on telling of them, and they are not to be stored
-- again. The platform's id as a SHA-256 hash in hexadecimal digits, which leads nobody to the call.
create table call_desk.forgotten_calls (
  id           text primary key,
  forgotten_at timestamptz not null default now()
);
create index forgotten_calls_at on call_desk.forgotten_calls (forgotten_at);
alter table call_desk.forgotten_calls enable row level security;
revoke all on call_desk.forgotten_calls from public, anon, authenticated;
