-- What happened to each visitor, stored once, in the transaction of what it tells, and what is to be told to whom.
-- Triggers write it, so that every writer is covered: this server, another process, the command, the REST wire.
create schema if not exists timeline;
revoke all on schema timeline from public, anon, authenticated;

create table timeline.events (
  -- The order of the timeline.
  seq bigint generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  type text not null check (type in ('page.opened',
    'call.requested', 'call.refused', 'call.answered', 'call.completed', 'webcall.started', 'webcall.completed',
    'visitor.created', 'visitor.changed', 'visitor.removed', 'calls.paused', 'calls.resumed', 'budget.warning', 'breaker.opened')),
  at timestamptz(3) not null default now(),
  -- The visitor's slug as stored; null for what concerns the whole installation.
  slug text,
  -- `visitor`, `system`, `operator`, or the address of the operator who did it.
  actor text not null,
  -- The row of call_desk.call_requests, which may be gone before the event is.
  call_id uuid,
  -- Who opened a page: a hash under a key that is another one each day and is then forgotten.
  opener text,
  payload jsonb not null default '{}'
);
create unique index events_by_id on timeline.events (id);
create index events_by_slug on timeline.events (lower(slug), seq) where slug is not null;
create index events_by_type on timeline.events (type, seq);
-- Times go up with the numbers: ranges of pages are enough, and cost an import nothing.
create index events_by_time on timeline.events using brin (at) with (pages_per_range = 16);
-- A call is told once for each thing that happens to it, however often news of that comes.
create unique index events_of_call on timeline.events (call_id, type) where call_id is not null;

-- What is counted of each visitor, over all times. Written with the events, so that a list of all visitors reads no events.
create table timeline.visitors (
  slug text primary key,
  opens integer not null default 0,
  first_opened_at timestamptz(3),
  last_opened_at  timestamptz(3),
  -- Calls to a telephone that were asked for, and calls in the browser that somebody joined.
  calls integer not null default 0,
  -- Those of them in which somebody was there.
  talked integer not null default 0,
  seconds integer not null default 0,
  longest_seconds integer not null default 0,
  -- The last time that the visitor did something.
  last_seen_at timestamptz(3)
);
create index visitors_by_last_seen on timeline.visitors (last_seen_at, slug) where last_seen_at is not null;
create index visitors_not_called on timeline.visitors (last_seen_at, slug) where opens > 0 and calls = 0;
create index visitors_who_talked on timeline.visitors (last_seen_at, slug) where longest_seconds > 60;

-- Whom to tell. Secrets are sealed with a key that the database does not have.
create table timeline.endpoints (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  kind text not null check (kind in ('webhook', 'slack', 'email')),
  -- Where: an address on the net; for e-mail, whom.
  target text not null,
  events text[] not null,
  -- E-mail: at once, or once a day.
  is_digest boolean not null default false,
  -- Webhooks: what signs, and what signed until a while ago and still does.
  secret text,
  former_secret text,
  former_until timestamptz,
  -- Set by EVENTS_URL: settings alone change it.
  is_of_settings boolean not null default false,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz(3) not null default now()
);
create unique index endpoints_of_settings on timeline.endpoints (is_of_settings) where is_of_settings;

-- What is to be told to an endpoint, and what became of that.
create table timeline.deliveries (
  endpoint_id uuid not null references timeline.endpoints on delete cascade,
  event_seq bigint not null references timeline.events on delete cascade,
  -- What is told in order: one visitor's events; '' for the installation's.
  lane text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  -- The process that sends it, and until when nobody else does.
  claim uuid,
  lease_until timestamptz,
  done_at timestamptz,
  primary key (endpoint_id, event_seq)
);
create index deliveries_pending on timeline.deliveries (endpoint_id, lane, event_seq) where state = 'pending';
create index deliveries_due on timeline.deliveries (endpoint_id, run_at) where state = 'pending';
create index deliveries_by_event on timeline.deliveries (event_seq);
create index deliveries_done on timeline.deliveries (done_at) where done_at is not null;

-- The log of what was tried.
create table timeline.attempts (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null,
  event_seq bigint not null,
  at timestamptz(3) not null default now(),
  ms integer not null,
  -- The answer's status; null where none came.
  status integer,
  error text,
  foreign key (endpoint_id, event_seq) references timeline.deliveries on delete cascade
);
create index attempts_of_delivery on timeline.attempts (endpoint_id, event_seq, id);
create index attempts_of_endpoint on timeline.attempts (endpoint_id, id);

-- The keys of `opener`, one a day. An old one is deleted: then nobody can tell whose address it was.
create table timeline.opener_keys (
  day date primary key,
  key bytea not null
);

alter table timeline.events enable row level security;
alter table timeline.visitors enable row level security;
alter table timeline.endpoints enable row level security;
alter table timeline.deliveries enable row level security;
alter table timeline.attempts enable row level security;
alter table timeline.opener_keys enable row level security;
revoke all on all tables in schema timeline from public, anon, authenticated, service_role;

-- Who does what this transaction does, where somebody said so: set_config('heyline.actor', …, true).
create function timeline.actor(otherwise text) returns text language sql stable set search_path = '' as $$
  select coalesce(nullif(pg_catalog.current_setting('heyline.actor', true), ''), otherwise)
$$;

-- When the next daily mail goes out: at 08:00 UTC.
create function timeline.next_digest() returns timestamptz language sql stable set search_path = '' as $$
  select (pg_catalog.date_trunc('day', pg_catalog.now() at time zone 'UTC' - interval '8 hours') + interval '1 day 8 hours') at time zone 'UTC'
$$;

-- Counts events and gives them to the endpoints that want them. One statement's events may be thousands that nobody counts or wants.
create function timeline.pass_on() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from added e where e.slug is not null and e.type in
    ('page.opened', 'call.requested', 'call.answered', 'call.completed', 'webcall.started', 'webcall.completed')) then
    insert into timeline.visitors as v (slug, opens, first_opened_at, last_opened_at, calls, talked, seconds, longest_seconds, last_seen_at)
    select e.slug,
      count(*) filter (where e.type = 'page.opened'),
      min(e.at) filter (where e.type = 'page.opened'),
      max(e.at) filter (where e.type = 'page.opened'),
      count(*) filter (where e.type in ('call.requested', 'webcall.started')),
      count(*) filter (where e.type in ('call.answered', 'webcall.started')),
      coalesce(sum((e.payload ->> 'seconds')::int), 0),
      coalesce(max((e.payload ->> 'seconds')::int), 0),
      max(e.at)
    from added e
    where e.slug is not null and e.type in
      ('page.opened', 'call.requested', 'call.answered', 'call.completed', 'webcall.started', 'webcall.completed')
    group by e.slug order by e.slug
    on conflict (slug) do update set
      opens = v.opens + excluded.opens,
      first_opened_at = least(v.first_opened_at, excluded.first_opened_at),
      last_opened_at = greatest(v.last_opened_at, excluded.last_opened_at),
      calls = v.calls + excluded.calls,
      talked = v.talked + excluded.talked,
      seconds = v.seconds + excluded.seconds,
      longest_seconds = greatest(v.longest_seconds, excluded.longest_seconds),
      last_seen_at = greatest(v.last_seen_at, excluded.last_seen_at);
  end if;

  if exists (select from timeline.endpoints p where p.disabled_at is null) then
    -- A digest goes out at the next 08:00 UTC.
    insert into timeline.deliveries (endpoint_id, event_seq, lane, run_at)
    select p.id, e.seq, coalesce(e.slug, ''), case when p.is_digest then timeline.next_digest() else pg_catalog.now() end
    from added e join timeline.endpoints p on p.disabled_at is null and e.type = any (p.events);
  end if;

  if exists (select from added) then perform pg_catalog.pg_notify('timeline_events', ''); end if;
  return null;
end $$;
create trigger events_pass_on after insert on timeline.events
  referencing new table as added for each statement execute function timeline.pass_on();

-- Calls. Test calls of operators are none of a visitor's.
create function timeline.tell_calls_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, call_id, payload)
  select case when c.state = 'refused' then 'call.refused' else 'call.requested' end, nullif(c.slug, ''), timeline.actor('visitor'), c.id,
    case when c.state = 'refused' then pg_catalog.jsonb_build_object('kind', c.kind, 'reason', c.refusal) else '{}' end
  from added c where c.slug <> '(test)' and (c.kind = 'phone' or c.state = 'refused')
  order by c.slug
  on conflict do nothing;
  return null;
end $$;
create trigger call_requests_tell_added after insert on call_desk.call_requests
  referencing new table as added for each statement execute function timeline.tell_calls_added();

create function timeline.tell_calls_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, call_id, payload)
  select t.type, nullif(c.slug, ''), timeline.actor(t.actor), c.id, t.payload
  from after c join before b on b.id = c.id
  cross join lateral (
    select 'call.refused' as type, 'system' as actor,
      pg_catalog.jsonb_build_object('kind', c.kind, 'reason', c.refusal) as payload, 1 as step
      where c.state = 'refused' and b.state <> 'refused'
    union all
    select case c.kind when 'phone' then 'call.answered' else 'webcall.started' end, 'visitor', '{}', 2
      where c.in_progress_at is not null and (b.in_progress_at is null or b.slug = '')
        -- Of a call in the browser whose visitor is not known, nothing is told before that is known, or the call is over.
        and (c.slug <> '' or c.state in ('ended', 'failed'))
    union all
    select case c.kind when 'phone' then 'call.completed' else 'webcall.completed' end, 'system',
      pg_catalog.jsonb_build_object('outcome', coalesce(c.outcome, case c.state when 'failed' then 'failed' end),
        'seconds', coalesce(greatest(0, round(extract(epoch from c.ended_at - c.in_progress_at)))::int, 0)), 3
      where c.state in ('ended', 'failed') and b.state not in ('ended', 'failed')
        and (c.kind = 'phone' or c.in_progress_at is not null)) t
  where c.slug <> '(test)'
  order by c.slug, c.id, t.step
  on conflict do nothing;
  return null;
end $$;
create trigger call_requests_tell_changed after update on call_desk.call_requests
  referencing old table as before new table as after for each statement execute function timeline.tell_calls_changed();

-- Visitors, whoever changed them.
-- Many may be changed at once: who did it is asked once, since a function with a `search_path` is not inlined.
create function timeline.tell_visitors_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor)
  select 'visitor.created', v.slug, (select timeline.actor('operator')) from added v;
  return null;
end $$;
create trigger visitors_tell_added after insert on public.visitors
  referencing new table as added for each statement execute function timeline.tell_visitors_added();

create function timeline.tell_visitors_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, payload)
  select 'visitor.changed', n.slug, (select timeline.actor('operator')), pg_catalog.jsonb_build_object('fields', changed.fields)
    || case when n.slug <> o.slug then pg_catalog.jsonb_build_object('formerSlug', o.slug) else '{}' end
  from after n join before o on o.id = n.id
  cross join lateral (
    select pg_catalog.jsonb_agg(f.name) as fields from (values
      ('slug', n.slug <> o.slug), ('name', n.name <> o.name), ('system', n.system is distinct from o.system),
      ('firstMessage', n.first_message is distinct from o.first_message), ('listed', n.listed <> o.listed)) f(name, is_changed)
    where f.is_changed) changed
  where changed.fields is not null;
  return null;
end $$;
create trigger visitors_tell_changed after update on public.visitors
  referencing old table as before new table as after for each statement execute function timeline.tell_visitors_changed();

create function timeline.tell_visitors_removed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor)
  select 'visitor.removed', v.slug, (select timeline.actor('operator')) from removed v;
  return null;
end $$;
create trigger visitors_tell_removed after delete on public.visitors
  referencing old table as removed for each statement execute function timeline.tell_visitors_removed();

-- What stops and allows calls.
create function timeline.tell_switches() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.paused_at is null and new.paused_at is not null then
    insert into timeline.events (type, actor) values ('calls.paused', timeline.actor('operator'));
  end if;
  if old.breaker_at is null and new.breaker_at is not null then
    insert into timeline.events (type, actor, payload)
    values ('breaker.opened', 'system', pg_catalog.jsonb_build_object('reason', new.breaker_reason));
  end if;
  if coalesce(old.paused_at, old.breaker_at) is not null and coalesce(new.paused_at, new.breaker_at) is null then
    insert into timeline.events (type, actor) values ('calls.resumed', timeline.actor('operator'));
  end if;
  return null;
end $$;
create trigger switches_tell after update on call_desk.switches for each row execute function timeline.tell_switches();

-- A budget of which 80 % is reserved or spent, once in each of its windows.
create function timeline.warn_of_budget(kind text, budget text, sum bigint, most bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  since interval := case budget when 'day' then interval '24 hours' else interval '31 days' end;
begin
  if most is null or sum * 5 < most * 4 or most = 0 then return; end if;
  if exists (select from timeline.events e where e.type = 'budget.warning' and e.at > pg_catalog.now() - since
      and e.payload ->> 'kind' = kind and e.payload ->> 'budget' = budget) then return; end if;
  insert into timeline.events (type, actor, payload) values ('budget.warning', 'system',
    pg_catalog.jsonb_build_object('kind', kind, 'budget', budget, 'percent', sum * 100 / most, 'limitMicrousd', most));
end $$;

-- As before, and warns.
create or replace function call_desk.reserve_spend(request uuid, kind text, amount bigint, day_limit bigint, month_limit bigint, at timestamptz)
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
  perform timeline.warn_of_budget(reserve_spend.kind, 'day', day_sum + amount, day_limit);
  perform timeline.warn_of_budget(reserve_spend.kind, 'month', month_sum + amount, month_limit);
  return null;
end $$;

revoke all on all functions in schema timeline from public, anon, authenticated, service_role;
