-- The timeline tells which phone calls came in, and they are looked for by it.

-- The few calls that came in, for a search of them alone.
create index call_requests_inbound on call_desk.call_requests (created_at, id) where inbound;

-- As before, and says of a call that came in that it did.
create or replace function timeline.tell_calls_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into timeline.events (type, slug, actor, call_id, payload)
  select case when c.state = 'refused' then 'call.refused' else 'call.requested' end, nullif(c.slug, ''), timeline.actor('visitor'), c.id,
    case when c.state = 'refused' then pg_catalog.jsonb_build_object('kind', c.kind, 'reason', c.refusal) else '{}' end
      || case when c.inbound then '{"direction": "inbound"}'::jsonb else '{}' end
  from added c where c.slug <> '(test)' and (c.kind = 'phone' or c.state = 'refused')
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
  where c.slug <> '(test)'
  order by c.slug, c.id, t.step
  on conflict do nothing;
  return null;
end $$;
