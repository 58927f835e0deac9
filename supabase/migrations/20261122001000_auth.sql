-- The auth wire: accounts, sessions, signing keys. Names and columns are those of a Supabase project where an account may move to one.
-- A Supabase project has tables of its own in this schema: then nothing is made here. auth.signing_keys marks a schema as ours.
-- Only the server's connection reads any of it: no grants, and Row Level Security without a policy.

do $$
begin
  if to_regclass('auth.users') is not null or not has_schema_privilege('auth', 'create') then
    return;
  end if;

  create table auth.users (
    id                   uuid primary key default gen_random_uuid(),
    instance_id          uuid not null default '00000000-0000-0000-0000-000000000000',
    aud                  text not null default 'authenticated' check (aud = 'authenticated'),
    role                 text not null default 'authenticated' check (role = 'authenticated'),
    email                text check (email = lower(email) and length(email) <= 320),
    -- Argon2id in its usual text form; null while nobody has set a password.
    encrypted_password   text,
    email_confirmed_at   timestamptz(3),
    invited_at           timestamptz(3),
    recovery_sent_at     timestamptz(3),
    confirmation_sent_at timestamptz(3),
    last_sign_in_at      timestamptz(3),
    raw_app_meta_data    jsonb not null default '{}' check (jsonb_typeof(raw_app_meta_data) = 'object'),
    raw_user_meta_data   jsonb not null default '{}' check (jsonb_typeof(raw_user_meta_data) = 'object'),
    is_super_admin       boolean,
    created_at           timestamptz(3) not null default now(),
    updated_at           timestamptz(3) not null default now(),
    phone                text unique,
    phone_confirmed_at   timestamptz(3),
    confirmed_at         timestamptz(3) generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
    banned_until         timestamptz(3),
    is_sso_user          boolean not null default false,
    deleted_at           timestamptz(3),
    is_anonymous         boolean not null default false
  );
  create unique index users_email on auth.users (lower(email));
  create index users_by_time on auth.users (created_at, id);

  create table auth.identities (
    id              uuid primary key default gen_random_uuid(),
    provider_id     text not null,
    user_id         uuid not null references auth.users (id) on delete cascade,
    identity_data   jsonb not null,
    provider        text not null,
    last_sign_in_at timestamptz(3),
    created_at      timestamptz(3) not null default now(),
    updated_at      timestamptz(3) not null default now(),
    email           text generated always as (lower(identity_data ->> 'email')) stored,
    unique (provider_id, provider)
  );
  create index identities_of_user on auth.identities (user_id);

  create table auth.sessions (
    id              uuid primary key default gen_random_uuid(),
    user_id         uuid not null references auth.users (id) on delete cascade,
    created_at      timestamptz(3) not null default now(),
    updated_at      timestamptz(3) not null default now(),
    factor_id       uuid,
    aal             text not null default 'aal1' check (aal in ('aal1', 'aal2')),
    -- How it was proved who it is: [{"method": "password", "timestamp": seconds}], the newest first.
    amr             jsonb not null default '[]',
    not_after       timestamptz(3),
    refreshed_at    timestamptz(3) not null default now(),
    user_agent      text not null default '',
    ip              text not null default '',
    -- Refresh tokens are numbered and carry a signature, so none is stored. This is the number of the current one.
    refresh_counter integer not null default 0,
    -- The last ones that were used, and when: {"number": milliseconds}. Two tabs may use one at the same time.
    refresh_uses    jsonb not null default '{}',
    -- Tokens below this number were given before the second factor, and bring nothing any more.
    refresh_floor   integer not null default 0
  );
  create index sessions_of_user on auth.sessions (user_id, created_at);
  create index sessions_idle on auth.sessions (refreshed_at);
  create index sessions_of_factor on auth.sessions (factor_id) where factor_id is not null;

  -- Codes of links, as SHA-256 in hex. Each is deleted when it is taken.
  create table auth.one_time_tokens (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null references auth.users (id) on delete cascade,
    token_type text not null check (token_type in ('invite', 'recovery')),
    token_hash text not null unique,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null
  );
  create index one_time_tokens_of_user on auth.one_time_tokens (user_id, token_type, created_at);
  create index one_time_tokens_expiring on auth.one_time_tokens (expires_at);

  -- ES256. The private key is sealed with the installation's key.
  create table auth.signing_keys (
    kid         uuid primary key,
    public_jwk  jsonb not null,
    private_key text not null,
    status      text not null check (status in ('current', 'former')),
    created_at  timestamptz(3) not null default now(),
    retired_at  timestamptz(3),
    check ((status = 'former') = (retired_at is not null))
  );
  create unique index signing_keys_current on auth.signing_keys (status) where status = 'current';

  -- What the guards count. Keys are hashes of account and network; the level leaks over time.
  create table auth.attempts (
    key           text primary key,
    level         double precision not null default 0,
    blocked_until timestamptz(3),
    updated_at    timestamptz(3) not null
  );
  create index attempts_by_time on auth.attempts (updated_at);

  -- Networks that an account was signed in to from, as hashes.
  create table auth.known_networks (
    user_id uuid not null references auth.users (id) on delete cascade,
    network text not null,
    seen_at timestamptz(3) not null,
    primary key (user_id, network)
  );
  create index known_networks_by_time on auth.known_networks (seen_at);

  create table auth.audit_log_entries (
    instance_id uuid not null default '00000000-0000-0000-0000-000000000000',
    id          uuid primary key default gen_random_uuid(),
    payload     jsonb not null,
    created_at  timestamptz(3) not null default now(),
    ip_address  text not null default ''
  );
  create index audit_log_entries_by_time on auth.audit_log_entries (created_at);

  alter table auth.users enable row level security;
  alter table auth.identities enable row level security;
  alter table auth.sessions enable row level security;
  alter table auth.one_time_tokens enable row level security;
  alter table auth.signing_keys enable row level security;
  alter table auth.attempts enable row level security;
  alter table auth.known_networks enable row level security;
  alter table auth.audit_log_entries enable row level security;
  revoke all on auth.users, auth.identities, auth.sessions, auth.one_time_tokens, auth.signing_keys, auth.attempts,
    auth.known_networks, auth.audit_log_entries from public, anon, authenticated, service_role;
end
$$;
