-- Browser calls at the call desk: the same table, gate and ledger as phone calls, counted apart.

-- `web` rows have no number. They are stored as `dialling` with `sent_at` set: what was sent is never dialled, by any version of the desk.
alter table call_desk.call_requests
  add column kind text not null default 'phone' check (kind in ('phone', 'web')),
  alter column phone drop not null;
alter table call_desk.call_requests add constraint call_requests_phone_of_kind
  check ((kind = 'phone') = (phone is not null));

-- Windows of the limits of each kind. A flood of browser calls must not lengthen the way to the phone calls.
create index call_requests_phone_let_pass on call_desk.call_requests (created_at) where kind = 'phone' and state <> 'refused';
create index call_requests_web_by_time    on call_desk.call_requests (created_at) where kind = 'web' and state <> 'refused';
create index call_requests_web_by_slug    on call_desk.call_requests (slug, created_at) where kind = 'web' and state <> 'refused';
create index call_requests_web_by_address on call_desk.call_requests (address, created_at) where kind = 'web' and state <> 'refused';
create index call_requests_web_by_network on call_desk.call_requests (network, created_at) where kind = 'web' and state <> 'refused';
create index call_requests_web_refused    on call_desk.call_requests (created_at) where kind = 'web' and state = 'refused';
-- Browser calls that may run.
create index call_requests_web_open on call_desk.call_requests (created_at)
  where kind = 'web' and state in ('queued', 'dialling', 'ringing', 'in-progress', 'unknown');

-- Browser calls have budgets of their own.
alter table call_desk.ledger add column kind text not null default 'phone' check (kind in ('phone', 'web'));
create index ledger_by_kind on call_desk.ledger (kind, at) include (reserved, spent);

-- As before, of the money of one kind of call.
create function call_desk.reserve_spend(request uuid, kind text, amount bigint, day_limit bigint, month_limit bigint, at timestamptz)
returns text language plpgsql set search_path = '' as $$
declare
  day_sum bigint;
  month_sum bigint;
begin
  perform pg_catalog.pg_advisory_xact_lock(1212763468, 1);
  select coalesce(sum(coalesce(l.spent, l.reserved)) filter (where l.at > reserve_spend.at - interval '24 hours'), 0),
         coalesce(sum(coalesce(l.spent, l.reserved)), 0)
    into day_sum, month_sum
    from call_desk.ledger l where l.kind = reserve_spend.kind and l.at > reserve_spend.at - interval '31 days';
  if day_sum + amount > day_limit then return 'day'; end if;
  if month_sum + amount > month_limit then return 'month'; end if;
  insert into call_desk.ledger (request_id, kind, at, reserved) values (request, reserve_spend.kind, reserve_spend.at, amount);
  return null;
end $$;

-- The former one, which the version before this calls: phone calls.
create or replace function call_desk.reserve_spend(request uuid, amount bigint, day_limit bigint, month_limit bigint, at timestamptz)
returns text language sql set search_path = '' as $$
  select call_desk.reserve_spend(reserve_spend.request, 'phone', amount, day_limit, month_limit, reserve_spend.at)
$$;

revoke all on all functions in schema call_desk from public, anon, authenticated;
