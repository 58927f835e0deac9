-- The operators of the installation. Their accounts are the auth wire's, built-in or a Supabase project's; who of them may do what stands here,
-- never in what an account says of itself. Only the server's own connection (the owner) uses it.
create schema if not exists back_office;
revoke all on schema back_office from public, anon, authenticated, service_role;

create table back_office.operators (
  -- The account at the auth wire. No foreign key: the accounts may be in another database.
  user_id uuid primary key,
  email text not null check (length(email) <= 320),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- Who asked for it, as the audit names actors.
  invited_by text not null,
  invited_at timestamptz not null default now(),
  -- When the operator first came in.
  joined_at timestamptz,
  last_seen_at timestamptz
);
create unique index operators_email on back_office.operators (lower(email));

-- Codes that make the first owner: SHA-256 (hex). One is taken while its owner is being made.
create table back_office.setup_codes (
  code_hash text primary key,
  created_at timestamptz not null default now(),
  taken_at timestamptz
);

-- What operators and the secret key changed, by whom and from where.
create table back_office.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  address text,
  action text not null,
  detail jsonb not null default '{}'
);
create index audit_by_time on back_office.audit (at);

alter table back_office.operators enable row level security;
alter table back_office.setup_codes enable row level security;
alter table back_office.audit enable row level security;
revoke all on all tables in schema back_office from public, anon, authenticated, service_role;
