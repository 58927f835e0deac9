-- Which process makes the next scheduled backup, and how the last one went: one row. Only the server's own connection (the owner) uses it.
create table back_office.backups (
  is_only     boolean primary key default true check (is_only),
  due_at      timestamptz not null default now(),
  -- The process that is at it, and until when that counts.
  holder      text,
  lease_until timestamptz not null default '-infinity',
  began_at    timestamptz,
  -- Of the last one that is whole.
  done_at     timestamptz,
  file        text,
  bytes       bigint,
  -- Of the last try, where it made none.
  failed_at   timestamptz,
  failure     text
);
alter table back_office.backups enable row level security;
revoke all on back_office.backups from public, anon, authenticated, service_role;
