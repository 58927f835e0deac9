-- The call desk's gate, its ledger, the inbox of the platform's messages, and what is kept of a call that is over.

alter table call_desk.call_requests
  -- What the gate counts by: ISO country, the number without its last four digits, the client's address (IPv4, or the /64 of an IPv6),
  -- and its network (/24, /48). Null where it was not known.
  add column country text,
  add column prefix  text,
  add column address text,
  add column network text,
  -- Why the gate did not let it pass: a stable code. The visitor never hears it.
  add column refusal text,
  -- Longest that the call may last, as it was placed.
  add column max_seconds integer,
  -- Where the platform takes commands for the running call.
  add column control_url text,
  -- The call is to be ended, and why; when to try next.
  add column hang_up_reason text,
  add column hang_up_at     timestamptz,
  -- The platform's own record of the call has come: nothing is left to ask.
  add column recorded_at timestamptz,
  add column outcome       text,
  add column cost_microusd bigint check (cost_microusd >= 0),
  add column transcript    text,
  add column summary       text;

alter table call_desk.call_requests add constraint call_requests_refusal
  check (state <> 'refused' or refusal is not null);

-- Windows of the limits. Refused attempts count for some of them only, and may be many.
create index call_requests_by_time    on call_desk.call_requests (created_at, id);
create index call_requests_let_pass   on call_desk.call_requests (created_at) where state <> 'refused';
create index call_requests_by_phone   on call_desk.call_requests (phone, created_at) where state <> 'refused';
create index call_requests_by_slug    on call_desk.call_requests (slug, created_at) where state <> 'refused';
create index call_requests_by_address on call_desk.call_requests (address, created_at);
create index call_requests_by_network on call_desk.call_requests (network, created_at);
create index call_requests_by_prefix  on call_desk.call_requests (prefix, created_at);
create index call_requests_by_country on call_desk.call_requests (country, created_at) where state <> 'refused';
-- Requests of which it is not known whether there is a call.
create index call_requests_unsure     on call_desk.call_requests (phone)
  where recorded_at is null and (state = 'unknown' or state = 'failed' and platform_call_id is not null);
create index call_requests_longest   on call_desk.call_requests (ended_at) where outcome = 'max_duration';
create index call_requests_by_change  on call_desk.call_requests (updated_at, id);

-- What the reconciler looks for: also calls whose record has not come, and requests that nobody knows whether they were placed.
drop index call_desk.call_requests_to_check;
create index call_requests_to_check on call_desk.call_requests (check_at)
  where sent_at is not null and recorded_at is null and state in ('dialling', 'ringing', 'in-progress', 'ended', 'unknown');
create index call_requests_to_hang_up on call_desk.call_requests (hang_up_at) where hang_up_at is not null;

-- Every change of a state is told, whoever made it.
create function call_desk.tell_state() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('call_desk_states', new.id::text);
  return null;
end $$;
create trigger call_requests_tell_insert after insert on call_desk.call_requests
  for each row execute function call_desk.tell_state();
create trigger call_requests_tell_state after update on call_desk.call_requests
  for each row when (old.state is distinct from new.state) execute function call_desk.tell_state();

-- Money, in millionths of a US dollar: the worst case is reserved before dialling, the true cost replaces it. Counted when it was reserved.
create table call_desk.ledger (
  request_id uuid primary key,
  at         timestamptz not null,
  reserved   bigint not null check (reserved >= 0),
  spent      bigint check (spent >= 0)
);
create index ledger_by_time on call_desk.ledger (at) include (reserved, spent);

-- One row: what stops all dialling.
create table call_desk.switches (
  only_one       boolean primary key default true check (only_one),
  paused_at      timestamptz,
  breaker_at     timestamptz,
  breaker_reason text,
  -- The breaker judges only what came after it.
  resumed_at     timestamptz
);
insert into call_desk.switches default values;

-- Numbers that are never called: by command, by an imported file, or because the person called said so.
create table call_desk.do_not_call (
  phone      text primary key check (phone ~ '^\+[1-9][0-9]{1,16}$'),
  source     text not null check (source in ('command', 'import', 'caller')),
  request_id uuid,
  added_at   timestamptz(3) not null default now()
);
create index do_not_call_added_at on call_desk.do_not_call (added_at);

-- From when on a visitor's lifetime limit is counted.
create table call_desk.slug_resets (
  slug text primary key,
  at   timestamptz not null default now()
);

-- The platform's messages, stored before they are answered. The body goes once it is dealt with; the id stays a week, so that a repetition is known.
create table call_desk.inbox (
  id          text primary key,
  body        text,
  received_at timestamptz not null default now(),
  run_at      timestamptz not null default now(),
  attempts    integer not null default 0,
  done_at     timestamptz,
  last_error  text
);
create index inbox_open on call_desk.inbox (run_at) where done_at is null;
create index inbox_done on call_desk.inbox (done_at) where done_at is not null;

-- Answers to the human check that were used: each counts once.
create table call_desk.used_checks (
  id      text primary key,
  used_at timestamptz not null default now()
);
create index used_checks_used_at on call_desk.used_checks (used_at);

-- What operators and the desk itself did to the guards: paused, resumed, raised a limit, tripped the breaker, changed the list.
create table call_desk.audit (
  id     bigint generated always as identity primary key,
  at     timestamptz(3) not null default now(),
  action text not null,
  detail jsonb not null default '{}'
);

alter table call_desk.ledger enable row level security;
alter table call_desk.switches enable row level security;
alter table call_desk.do_not_call enable row level security;
alter table call_desk.slug_resets enable row level security;
alter table call_desk.inbox enable row level security;
alter table call_desk.used_checks enable row level security;
alter table call_desk.audit enable row level security;
revoke all on all tables in schema call_desk from public, anon, authenticated;

-- Only the owner's connection asks for money.
-- Reserves `amount` at the time `at`, unless that would bring any 24 hours above `day_limit` or any 31 days above `month_limit` (null: no limit).
-- Answers null when it is reserved, or which limit stands in the way: 'day' or 'month'. One at a time, of all processes.
create function call_desk.reserve_spend(request uuid, amount bigint, day_limit bigint, month_limit bigint, at timestamptz)
returns text language plpgsql set search_path = '' as $$
declare
  day_sum bigint;
  month_sum bigint;
begin
  perform pg_catalog.pg_advisory_xact_lock(1212763468, 1);
  select coalesce(sum(coalesce(l.spent, l.reserved)) filter (where l.at > reserve_spend.at - interval '24 hours'), 0),
         coalesce(sum(coalesce(l.spent, l.reserved)), 0)
    into day_sum, month_sum
    from call_desk.ledger l where l.at > reserve_spend.at - interval '31 days';
  if day_sum + amount > day_limit then return 'day'; end if;
  if month_sum + amount > month_limit then return 'month'; end if;
  insert into call_desk.ledger (request_id, at, reserved) values (request, reserve_spend.at, amount);
  return null;
end $$;

-- The true cost replaces what was reserved. Again and again: the last word counts. Unknown requests are none of the ledger's.
create function call_desk.settle_spend(request uuid, cost bigint) returns void language sql set search_path = '' as $$
  update call_desk.ledger set spent = cost where request_id = request
$$;

revoke all on all functions in schema call_desk from public, anon, authenticated;
