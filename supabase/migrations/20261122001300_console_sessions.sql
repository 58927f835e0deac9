-- Who is signed in to the console. The tokens of the auth wire stay here; the browser holds a cookie alone. Only the server's own connection
-- (the owner) uses it.
create table back_office.console_sessions (
  id uuid primary key,
  -- SHA-256 (hex) of what the cookie holds. A change of assurance makes a new cookie.
  secret_hash text not null unique,
  -- Of the cookie before, which reads for a few seconds more: requests may be under way with it.
  former_hash text unique,
  former_until timestamptz,
  -- The account at the auth wire. No foreign key: the accounts may be in another database.
  user_id uuid not null,
  -- Access and refresh token, sealed with a key that is derived from the secret key.
  tokens text not null,
  -- Until when one process has them renewed.
  renewing_until timestamptz,
  -- The link that signed in asks for a new password before anything else.
  owes_password text check (owes_password in ('invite', 'recovery')),
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index console_sessions_by_user on back_office.console_sessions (user_id, used_at);
create index console_sessions_by_use on back_office.console_sessions (used_at);

-- Keys for an operator's own tools: SHA-256 (hex). They go with their operator.
create table back_office.api_keys (
  id uuid primary key,
  key_hash text not null unique,
  user_id uuid not null references back_office.operators (user_id) on delete cascade,
  name text not null check (length(name) between 1 and 64),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index api_keys_by_user on back_office.api_keys (user_id);

alter table back_office.console_sessions enable row level security;
alter table back_office.api_keys enable row level security;
revoke all on back_office.console_sessions, back_office.api_keys from public, anon, authenticated, service_role;
