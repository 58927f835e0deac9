-- Whoever has the password alone ends no session of the account's owner, keeps nobody out at a known place, and uses up few of its texts.

do $$
begin
  -- A Supabase project has tables of its own.
  if to_regclass('auth.signing_keys') is null then
    return;
  end if;

  -- How well the account knew the place where the session began: `address`, `network`, or null for neither.
  alter table auth.sessions add column known text check (known in ('address', 'network'));
  -- It was asked for with the password alone, at a place that the account doesn't know.
  alter table auth.mfa_texts add column is_strangers boolean not null default false;
end
$$;

-- It waits for the second factor; `known` as the auth wire says it, and null at a Supabase project.
alter table back_office.console_sessions
  add column is_pending boolean not null default false,
  add column known text check (known in ('address', 'network'));
