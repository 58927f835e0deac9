-- Strangers can have calls of a page refused again and again, which makes an event each time, but no message to a person each time: people are told
-- of a visitor's refused calls once in ten minutes. Each of them is stored, and programs (webhooks) are told of each.

-- As before, and tells people of a visitor's refused calls once in ten minutes. One statement's events may be thousands that nobody counts or wants.
create or replace function timeline.pass_on() returns trigger language plpgsql security definer set search_path = '' as $$
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
    from (
      select n.type, n.seq, n.slug, min(n.seq) over (partition by n.type, n.slug) = n.seq as is_first from added n) e
    join timeline.endpoints p on p.disabled_at is null and e.type = any (p.events)
    where case
      when e.type = 'page.opened' then e.is_first and (
        -- Counting has locked the visitor's row, so what another process told meanwhile is seen here.
        select o.seq from timeline.events o join timeline.deliveries d on d.event_seq = o.seq and d.endpoint_id = p.id
        where o.type = 'page.opened' and o.slug = e.slug and o.at > pg_catalog.now() - interval '10 minutes'
          -- Of a clock that ran ahead and is right again: it holds nothing up.
          and o.at <= pg_catalog.now() + interval '1 minute'
        order by o.at limit 1) is null
      when e.type = 'call.refused' and p.kind <> 'webhook' then e.is_first and (
        select o.seq from timeline.events o join timeline.deliveries d on d.event_seq = o.seq and d.endpoint_id = p.id
        where o.type = 'call.refused' and coalesce(o.slug, '') = coalesce(e.slug, '')
          and o.at > pg_catalog.now() - interval '10 minutes' and o.at <= pg_catalog.now() + interval '1 minute'
        order by o.at limit 1) is null
      else true
    end;
  end if;

  if exists (select from added) then perform pg_catalog.pg_notify('timeline_events', ''); end if;
  return null;
end $$;
