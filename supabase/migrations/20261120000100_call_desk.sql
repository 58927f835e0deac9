-- The call desk: one row is one request for a phone call. The table is the queue and the record of what became of it.
-- Only the server's own connection (the owner) uses it; the REST wire serves schema public and nothing else.
create schema if not exists call_desk;
revoke all on schema call_desk from public, anon, authenticated;

create table call_desk.call_requests (
  id uuid primary key default gen_random_uuid(),
  phone text not null check (phone ~ '^\+[1-9][0-9]{1,16}$'),
  -- The visitor's slug as stored. No foreign key: visitors may live in another database.
  slug text not null,
  state text not null default 'queued'
    check (state in ('queued', 'dialling', 'ringing', 'in-progress', 'ended', 'refused', 'failed', 'unknown')),

  -- SHA-256 (hex) of the idempotency key and of the body that came with it.
  idempotency_key text,
  body_hash text not null,

  -- How many times the platform was asked to place the call.
  attempts integer not null default 0,
  -- Not placed before this time.
  run_at timestamptz not null default now(),
  -- The worker that holds the row, and until when. A lease that runs out frees the row only while sent_at is null.
  claim uuid,
  lease_until timestamptz,
  -- When the request to the platform began; null while it is certain that none was accepted. Set and no platform_call_id: never send again.
  sent_at timestamptz,
  platform_call_id text,
  -- When to ask the platform next, where no news came by itself.
  check_at timestamptz,

  ended_reason text,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The times of the states after queued (created_at). A state that was skipped or not heard of has none.
  dialling_at timestamptz,
  ringing_at timestamptz,
  in_progress_at timestamptz,
  ended_at timestamptz,
  refused_at timestamptz,
  failed_at timestamptz,
  unknown_at timestamptz
);

create unique index call_requests_idempotency_key on call_desk.call_requests (idempotency_key);
create unique index call_requests_platform_call_id on call_desk.call_requests (platform_call_id);
-- One call in flight per number.
create unique index call_requests_in_flight on call_desk.call_requests (phone)
  where state in ('queued', 'dialling', 'ringing', 'in-progress');
-- What the worker looks for: rows to place, and rows whose placing was lost.
create index call_requests_to_place on call_desk.call_requests (run_at)
  where state in ('queued', 'dialling') and platform_call_id is null;
-- What the reconciler looks for.
create index call_requests_to_check on call_desk.call_requests (check_at)
  where platform_call_id is not null and state in ('dialling', 'ringing', 'in-progress', 'unknown');

alter table call_desk.call_requests enable row level security;
revoke all on call_desk.call_requests from public, anon, authenticated;
