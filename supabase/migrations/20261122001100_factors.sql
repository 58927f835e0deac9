-- Second factors of the auth wire: authenticator apps, phones, recovery codes. Only where the accounts are ours: a Supabase project has
-- tables of its own. Only the server's connection reads any of it: no grants, and Row Level Security without a policy.

do $$
begin
  if to_regclass('auth.signing_keys') is null then
    return;
  end if;

  create table auth.mfa_factors (
    id                 uuid primary key default gen_random_uuid(),
    user_id            uuid not null references auth.users (id) on delete cascade,
    friendly_name      text not null default '' check (length(friendly_name) <= 64),
    factor_type        text not null check (factor_type in ('totp', 'phone')),
    status             text not null default 'unverified' check (status in ('unverified', 'verified')),
    created_at         timestamptz(3) not null default now(),
    updated_at         timestamptz(3) not null default now(),
    -- Of an app, sealed with the installation's key.
    secret             text,
    phone              text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
    last_challenged_at timestamptz(3),
    -- The newest step of an app that was taken: this one and those before it are over.
    last_step          bigint,
    -- Wrong codes since the last right one.
    failures           integer not null default 0,
    locked_until       timestamptz(3),
    check ((factor_type = 'totp') = (secret is not null)),
    check ((factor_type = 'phone') = (phone is not null))
  );
  create index mfa_factors_of_user on auth.mfa_factors (user_id, created_at);

  create table auth.mfa_challenges (
    id          uuid primary key default gen_random_uuid(),
    factor_id   uuid not null references auth.mfa_factors (id) on delete cascade,
    created_at  timestamptz(3) not null default now(),
    verified_at timestamptz(3),
    ip_address  text not null,
    -- Of the six digits that went to a phone, under the installation's key.
    otp_hash    text,
    -- Codes that were tried.
    attempts    integer not null default 0
  );
  create index mfa_challenges_of_factor on auth.mfa_challenges (factor_id, created_at);

  -- Text messages of the last day, which limits count. A row outlives its factor and its account, so that removing them gains nobody a text.
  create table auth.mfa_texts (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null,
    -- Of the number, under the installation's key.
    phone_hash text not null,
    sent_at    timestamptz(3) not null,
    failed     boolean not null default false
  );
  create index mfa_texts_by_time on auth.mfa_texts (sent_at);

  create table auth.recovery_codes (
    id         uuid primary key default gen_random_uuid(),
    user_id    uuid not null references auth.users (id) on delete cascade,
    -- Under the installation's key.
    code_hash  text not null,
    created_at timestamptz(3) not null default now(),
    used_at    timestamptz(3),
    unique (user_id, code_hash)
  );

  alter table auth.mfa_factors enable row level security;
  alter table auth.mfa_challenges enable row level security;
  alter table auth.mfa_texts enable row level security;
  alter table auth.recovery_codes enable row level security;
  revoke all on auth.mfa_factors, auth.mfa_challenges, auth.mfa_texts, auth.recovery_codes
    from public, anon, authenticated, service_role;
end
$$;
