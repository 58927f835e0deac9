-- Resources of the platform's REST API that are stored as they come, one table for all families (`tool`, …).
create table voice_platform.resources (
  id         uuid primary key default gen_random_uuid(),
  family     text not null,
  -- Without secrets.
  settings   jsonb not null check (jsonb_typeof(settings) = 'object'),
  -- The secrets of the settings, sealed with a key that the database does not have.
  sealed     text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index resources_created_at on voice_platform.resources (family, created_at);
alter table voice_platform.resources enable row level security;
revoke all on voice_platform.resources from public, anon, authenticated;
