-- What the platform was asked and told others: requests with the private key, messages to servers, and how calls went on. No body, no
-- header, no query and no address of a client is in it.
create table voice_platform.logs (
  id               bigint generated always as identity primary key,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null generated always as (created_at) stored,
  type             text not null check (type in ('API', 'Webhook', 'Call', 'Provider')),
  webhook_type     text,
  resource         text,
  method           text,
  -- Of a message: the server that it was sent to.
  path             text,
  status           integer,
  duration_seconds float8,
  error            text,
  call_id          uuid,
  assistant_id     uuid,
  phone_number_id  uuid,
  squad_id         uuid
);
create index logs_by_time on voice_platform.logs (created_at, id);
create index logs_by_call on voice_platform.logs (call_id, created_at, id) where call_id is not null;
create index logs_by_type on voice_platform.logs (type, created_at, id);
alter table voice_platform.logs enable row level security;
revoke all on voice_platform.logs from public, anon, authenticated;
