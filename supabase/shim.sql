-- What hosted Supabase already has and a bare Postgres has not: its roles, and the functions that read a request's claims.
-- Run before the migrations wherever the role supabase_admin does not exist. Every statement may run again.

do $$
declare
  wanted text;
begin
  -- Roles belong to the whole cluster, so another database of it may be creating the same ones right now.
  foreach wanted in array array['anon', 'authenticated', 'service_role', 'authenticator'] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
        execute format('create role %I nologin noinherit', wanted);
      end if;
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;

  -- Only a superuser (from Postgres 16 on: whoever may itself) can hand this out; policies let service_role in without it.
  begin
    if not (select rolbypassrls from pg_catalog.pg_roles where rolname = 'service_role') then
      alter role service_role bypassrls;
    end if;
  exception when insufficient_privilege then null;
  end;

  -- The server switches to these roles, so whoever logs in must be a member of each.
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not pg_catalog.pg_has_role('authenticator', wanted, 'member') then
      execute format('grant %I to authenticator', wanted);
    end if;
    if not pg_catalog.pg_has_role(current_user, wanted, 'member') then
      execute format('grant %I to %I', wanted, current_user);
    end if;
  end loop;
end
$$;

create schema if not exists extensions;
create schema if not exists auth;
grant usage on schema public, extensions, auth to anon, authenticated, service_role;
revoke create on schema public from public;

create or replace function auth.jwt() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

create or replace function auth.uid() returns uuid
language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;

create or replace function auth.role() returns text
language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;

create or replace function auth.email() returns text
language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated, service_role;
