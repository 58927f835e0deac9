-- Campaigns: lists of people whom an assistant calls. Each call is an ordinary request in call_desk.call_requests, which is the queue.
create table call_desk.campaigns (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  assistant_id text not null,
  phone_number_id text not null,
  -- Nobody is asked for before the one and after the other. Not given: at once, and for seven days.
  earliest_at timestamptz(3),
  latest_at   timestamptz(3),
  state text not null default 'scheduled' check (state in ('scheduled', 'in-progress', 'ended')),
  ended_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (latest_at > earliest_at)
);
create index campaigns_created_at on call_desk.campaigns (created_at, id);
create index campaigns_open on call_desk.campaigns (id) where state <> 'ended';

-- One row is one person. Without a request it waits; with one it is the request's to say how it goes on; closed_at: nothing is asked any more.
create table call_desk.campaign_customers (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references call_desk.campaigns on delete cascade,
  position integer not null,
  phone text not null check (phone ~ '^\+[0-9]{1,39}$'),
  -- As the API was told, without the number.
  customer jsonb not null,
  -- The gate is not asked before this time.
  run_at timestamptz not null,
  request_id uuid,
  -- What the gate said last: why it waits, or why nobody calls.
  refusal text,
  closed_at timestamptz,
  unique (campaign_id, position)
);
create index campaign_customers_waiting on call_desk.campaign_customers (run_at, position) where request_id is null and closed_at is null;
create index campaign_customers_asked on call_desk.campaign_customers (request_id) where request_id is not null;
create index campaign_customers_open on call_desk.campaign_customers (campaign_id) where closed_at is null;
create index campaign_customers_phone on call_desk.campaign_customers (phone);

alter table call_desk.campaigns enable row level security;
alter table call_desk.campaign_customers enable row level security;
revoke all on call_desk.campaigns, call_desk.campaign_customers from public, anon, authenticated;

-- Which campaign a call of the platform is part of.
alter table voice_platform.calls add column campaign_id uuid;

-- As before. A call of a campaign belongs to no visitor, so the timeline tells nothing of it.
create or replace function timeline.tell_calls_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, call_id, payload)
  select case when c.state = 'refused' then 'call.refused' else 'call.requested' end, nullif(c.slug, ''), timeline.actor('visitor'), c.id,
    case when c.state = 'refused' then pg_catalog.jsonb_build_object('kind', c.kind, 'reason', c.refusal) else '{}' end
      || case when c.inbound then '{"direction": "inbound"}'::jsonb else '{}' end
  from added c where c.slug not in ('(test)', '(campaign)') and (c.kind = 'phone' or c.state = 'refused')
  order by c.slug
  on conflict do nothing;
  return null;
end $$;

create or replace function timeline.tell_calls_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, call_id, payload)
  select t.type, nullif(c.slug, ''), timeline.actor(t.actor), c.id,
    t.payload || case when c.inbound then '{"direction": "inbound"}'::jsonb else '{}' end
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
  where c.slug not in ('(test)', '(campaign)')
  order by c.slug, c.id, t.step
  on conflict do nothing;
  return null;
end $$;
