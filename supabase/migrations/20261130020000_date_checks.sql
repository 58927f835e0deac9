-- When old rows were last looked for, and whether the date is doubted: one row. A clock that is ahead would have everything removed as old.
-- Only the server's own connection (the owner) uses it.
create table back_office.date_checks (
  is_only       boolean primary key default true check (is_only),
  -- The database's time at the last look.
  seen_at       timestamptz not null default now(),
  -- Since when nothing old is removed, because the date had leapt. Null: it is not doubted.
  doubted_since timestamptz
);
alter table back_office.date_checks enable row level security;
revoke all on back_office.date_checks from public, anon, authenticated, service_role;
