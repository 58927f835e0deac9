-- Limits count a call by the slug under which it was admitted, whatever a note names it later.

-- The slug under which the gate let a browser call begin, where a note has changed `slug` since; null where both are the same. A call that a
-- hosted platform began without asking us was admitted under none: it has the empty slug here.
alter table call_desk.call_requests add column admitted_slug text;

drop index call_desk.call_requests_web_by_slug;
create index call_requests_web_by_slug on call_desk.call_requests (coalesce(admitted_slug, slug), created_at)
  where kind = 'web' and state <> 'refused';
