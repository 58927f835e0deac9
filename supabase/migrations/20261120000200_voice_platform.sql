-- The built-in voice platform's own tables. Only the server's connection reads them: no grant to anon or authenticated,
-- and Row Level Security without a policy, so that a grant made by accident still shows nothing.
create schema voice_platform;
revoke all on schema voice_platform from public, anon, authenticated;

-- Assistants, as the platform's REST API takes them (CreateAssistantDTO).
create table voice_platform.assistants (
  id         uuid primary key default gen_random_uuid(),
  settings   jsonb not null check (jsonb_typeof(settings) = 'object'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index assistants_created_at on voice_platform.assistants (created_at);

-- Caller ids.
create table voice_platform.phone_numbers (
  id         uuid primary key default gen_random_uuid(),
  number     text not null unique check (number ~ '^\+[1-9][0-9]{1,38}$'),
  settings   jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- One row: this installation, and what its calls use when they name nothing.
create table voice_platform.settings (
  only_one                boolean primary key default true check (only_one),
  org_id                  uuid not null default gen_random_uuid(),
  default_assistant_id    uuid references voice_platform.assistants (id) on delete set null,
  default_phone_number_id uuid references voice_platform.phone_numbers (id) on delete set null
);
insert into voice_platform.settings default values;

-- Server processes that run calls; one that has not been seen for a while is gone, and its calls are ended for it.
create table voice_platform.processes (
  id      uuid primary key,
  seen_at timestamptz not null default now()
);

-- Calls. Status only moves forward: queued, ringing, in-progress, ended. Room secrets and resume tokens as SHA-256 hashes, in hex.
create table voice_platform.calls (
  id                uuid primary key default gen_random_uuid(),
  type              text not null check (type in ('webCall', 'outboundPhoneCall')),
  status            text not null default 'queued' check (status in ('queued', 'ringing', 'in-progress', 'ended')),
  ended_reason      text check ((status = 'ended') = (ended_reason is not null)),
  name              text,
  -- What the request named or brought, as it came.
  assistant_id      uuid,
  assistant_given   jsonb,
  overrides         jsonb,
  phone_number_id   uuid,
  customer          jsonb,
  -- The assistant that speaks: stored or given, with the overrides applied.
  assistant         jsonb not null,
  carrier           text,
  carrier_call_id   text,
  owner             uuid not null,
  room_secret_hash  text,
  room_expires_at   timestamptz,
  room_joined_at    timestamptz,
  resume_token_hash text,
  messages          jsonb not null default '[]',
  transcript        text,
  started_at        timestamptz(3),
  ended_at          timestamptz(3),
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now()
);
create index calls_created_at on voice_platform.calls (created_at);
create index calls_open on voice_platform.calls (owner) where status <> 'ended';

-- Calls that the simulated carrier has in hand. Who deletes the row reports the call's end, so it is reported once.
create table voice_platform.simulated_legs (
  call_id     uuid primary key,
  caller      text not null,
  callee      text not null,
  state       text not null default 'ringing' check (state in ('ringing', 'answered', 'connected')),
  created_at  timestamptz(3) not null default now(),
  -- Who picks up comes into the room in seconds, or not at all.
  answered_at timestamptz(3)
);

alter table voice_platform.assistants enable row level security;
alter table voice_platform.phone_numbers enable row level security;
alter table voice_platform.settings enable row level security;
alter table voice_platform.processes enable row level security;
alter table voice_platform.calls enable row level security;
alter table voice_platform.simulated_legs enable row level security;
revoke all on all tables in schema voice_platform from public, anon, authenticated;
