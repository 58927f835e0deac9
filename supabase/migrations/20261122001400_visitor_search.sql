-- The operators' list of visitors in each of its orders, a page at a time. What a search looks at and a page's order stand in the index, so
-- that rows are read for the page alone; the plain columns are there because an index answers by itself only where it has those too.
create index visitors_in_slug_order on public.visitors (lower(slug), lower(name)) include (id, slug, name, listed);
create index visitors_by_name on public.visitors (lower(name), id, lower(slug)) include (slug, name, listed);
create index visitors_by_age on public.visitors (created_at, id, lower(slug), lower(name)) include (slug, name, listed);
-- A prompt is long: which visitors have none is looked up here.
create index visitors_without_prompt on public.visitors (id) where system is null;

-- What operators changed of visitors, so that they can take it back for a day.
create table back_office.undo (
  id uuid primary key default gen_random_uuid(),
  -- Whoever changed it; nobody else takes it back.
  user_id uuid not null,
  at timestamptz not null default now(),
  -- As the audit names the change.
  what text not null,
  bytes bigint not null default 0
);
create index undo_by_time on back_office.undo (at);

create table back_office.undo_visitors (
  undo_id uuid not null references back_office.undo on delete cascade,
  visitor_id uuid not null,
  slug text not null,
  -- The whole row as it was; null for one that was added.
  before jsonb,
  -- A hash of the row as the change left it; null for one that was removed.
  after bigint,
  primary key (undo_id, visitor_id)
);
create index undo_visitors_by_slug on back_office.undo_visitors (lower(slug));

alter table back_office.undo enable row level security;
alter table back_office.undo_visitors enable row level security;
revoke all on back_office.undo, back_office.undo_visitors from public, anon, authenticated, service_role;
