-- Conversations in writing, one row for each turn (`POST /chat`).
create table voice_platform.chats (
  id               uuid primary key,
  name             text,
  assistant_id     uuid,
  assistant_given  jsonb,
  overrides        jsonb,
  session_id       uuid,
  previous_chat_id uuid,
  is_streamed      boolean not null default false,
  -- What was said: in this turn, before it, and what was answered.
  input            jsonb not null,
  messages         jsonb not null,
  output           jsonb not null,
  costs            jsonb,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now()
);
create index chats_created_at on voice_platform.chats (created_at, id);
create index chats_session on voice_platform.chats (session_id, created_at) where session_id is not null;
alter table voice_platform.chats enable row level security;
revoke all on voice_platform.chats from public, anon, authenticated;

-- The conversations that pages have begun, and how many more turns each may take. No words.
create table voice_platform.web_chats (
  session_id   uuid primary key,
  assistant_id uuid not null,
  turns_left   int not null,
  created_at   timestamptz(3) not null default now()
);
create index web_chats_created_at on voice_platform.web_chats (created_at);
alter table voice_platform.web_chats enable row level security;
revoke all on voice_platform.web_chats from public, anon, authenticated;
