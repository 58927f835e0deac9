-- The visitors (spec 3): who may open a page, and what the assistant is told about them.

create table public.visitors (
  id uuid primary key default gen_random_uuid(),
  -- A segment of the page's path. The command allows far less; a table filled by other means may hold any of these.
  slug text not null check (slug <> '' and slug !~ '[/\u0001-\u001F\u007F]'),
  name text not null,
  system text,
  first_message text,
  -- A listed visitor is shown to every request; any other only to one that names its slug.
  listed boolean not null default false,
  created_at timestamptz not null default now()
);

-- The lookup falls back to a match without case (spec 5), so two slugs that differ in case only would be one page.
create unique index visitors_slug on public.visitors (lower(slug));
-- With it, each read of the policy below is two looks into an index, however many visitors there are.
create index visitors_listed on public.visitors (slug) where listed;

-- Functions for policies, out of the schema that is served.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- The slug that this request says it is about: its header x-visitor-slug, as it is, in lower case.
-- Null when there is no request, no such header, or what is there cannot be read: then no row is named.
create function private.request_slug() returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(lower(nullif(current_setting('request.headers', true), '')::json ->> 'x-visitor-slug'), '');
exception when data_exception then
  return null;
end
$$;
revoke all on function private.request_slug() from public;
grant execute on function private.request_slug() to anon, authenticated, service_role;

-- Older Supabase projects grant everything on a new table to everybody, so take first, then give.
alter table public.visitors enable row level security;
revoke all on public.visitors from public, anon, authenticated, service_role;
grant select on public.visitors to anon, authenticated;
grant all on public.visitors to service_role;

-- Asked once per statement, not once per row: that is what the sub-select is for.
create policy visitors_read_named_or_listed on public.visitors
  for select to anon, authenticated
  using (listed or lower(slug) = (select private.request_slug()));

-- service_role has bypassrls on Supabase; where the database's owner may not grant that, this stands in for it.
create policy visitors_service on public.visitors
  for all to service_role
  using (true) with check (true);
