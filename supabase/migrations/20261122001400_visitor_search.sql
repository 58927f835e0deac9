-- The operators' list of visitors by name and by age, a page at a time.
create index visitors_by_name on public.visitors (lower(name), id);
create index visitors_by_age on public.visitors (created_at, id);

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
