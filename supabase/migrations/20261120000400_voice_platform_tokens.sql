-- Tokens of the voice platform's REST API, beside the installation's own two keys. A token itself is shown once, to whoever
-- makes it: its SHA-256 hash (hex) is kept, and its last four characters, by which people tell their tokens apart.
create table voice_platform.tokens (
  id           uuid primary key default gen_random_uuid(),
  tag          text not null check (tag in ('private', 'public')),
  name         text check (char_length(name) <= 40),
  restrictions jsonb check (jsonb_typeof(restrictions) = 'object'),
  value_hash   text not null unique,
  value_end    text not null,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now()
);
create index tokens_created_at on voice_platform.tokens (created_at);
alter table voice_platform.tokens enable row level security;
revoke all on table voice_platform.tokens from public, anon, authenticated;

-- How long the callers of a call waited, as its session measured it.
alter table voice_platform.calls add column performance jsonb;
