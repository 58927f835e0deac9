-- What assistants look things up in: files, the text that was read from them, and its passages. A file is the installation's, or one visitor's
-- own: then only the calls of that visitor reach it, and no knowledge base names it.
create table voice_platform.files (
  id            uuid primary key default gen_random_uuid(),
  -- The visitor's slug as stored. No foreign key: visitors may live in another database.
  visitor_slug  text,
  name          text not null check (char_length(name) between 1 and 40),
  original_name text not null check (char_length(original_name) <= 255),
  kind          text not null check (kind in ('txt', 'md', 'html', 'pdf', 'docx', 'csv')),
  bytes         integer not null check (bytes between 1 and 20000000),
  status        text not null default 'processing' check (status in ('processing', 'done', 'failed')),
  -- Why its text could not be read.
  failure       text,
  -- What was read from it, and how many bytes that has.
  text          text,
  text_bytes    integer,
  language      text not null default 'english',
  purpose       text,
  -- The sender's own.
  notes         jsonb,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create index files_visitor on voice_platform.files (visitor_slug, name) where visitor_slug is not null;

-- The file itself, in parts: no statement carries all of a large one.
create table voice_platform.file_parts (
  file_id  uuid not null references voice_platform.files (id) on delete cascade,
  number   integer not null,
  content  bytea not null,
  primary key (file_id, number)
);
-- Most files are compressed already.
alter table voice_platform.file_parts alter column content set storage external;

create table voice_platform.passages (
  file_id  uuid not null references voice_platform.files (id) on delete cascade,
  number   integer not null,
  page     integer,
  heading  text,
  text     text not null,
  language text not null default 'english',
  -- Every word as it is written, and by its stem in the file's language.
  search   tsvector not null generated always as (strip(
    to_tsvector('pg_catalog.simple', coalesce(heading, '') || ' ' || text) || case language
      when 'german' then to_tsvector('pg_catalog.german', coalesce(heading, '') || ' ' || text)
      when 'french' then to_tsvector('pg_catalog.french', coalesce(heading, '') || ' ' || text)
      when 'spanish' then to_tsvector('pg_catalog.spanish', coalesce(heading, '') || ' ' || text)
      when 'italian' then to_tsvector('pg_catalog.italian', coalesce(heading, '') || ' ' || text)
      when 'portuguese' then to_tsvector('pg_catalog.portuguese', coalesce(heading, '') || ' ' || text)
      when 'dutch' then to_tsvector('pg_catalog.dutch', coalesce(heading, '') || ' ' || text)
      else to_tsvector('pg_catalog.english', coalesce(heading, '') || ' ' || text)
    end
  )) stored,
  primary key (file_id, number)
);
-- Without a list of what is to be added: it would be read with every search until somebody tidies it.
create index passages_search on voice_platform.passages using gin (search) with (fastupdate = off);

create table voice_platform.knowledge_bases (
  id          uuid primary key default gen_random_uuid(),
  name        text,
  file_ids    uuid[] not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

alter table voice_platform.files enable row level security;
alter table voice_platform.file_parts enable row level security;
alter table voice_platform.passages enable row level security;
alter table voice_platform.knowledge_bases enable row level security;
revoke all on voice_platform.files, voice_platform.file_parts, voice_platform.passages, voice_platform.knowledge_bases
  from public, anon, authenticated;

-- A visitor's files go with the visitor, whoever removes or renames that: this server, the command, the REST wire.
create function voice_platform.rename_visitor_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from voice_platform.files where visitor_slug = new.slug;
  update voice_platform.files set visitor_slug = new.slug where visitor_slug = old.slug;
  return null;
end $$;
create trigger platform_renamed after update of slug on public.visitors
  for each row when (old.slug is distinct from new.slug) execute function voice_platform.rename_visitor_files();

create function voice_platform.remove_visitor_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from voice_platform.files f using removed r where f.visitor_slug = r.slug;
  return null;
end $$;
create trigger platform_removed after delete on public.visitors
  referencing old table as removed for each statement execute function voice_platform.remove_visitor_files();

revoke execute on function voice_platform.rename_visitor_files() from public;
revoke execute on function voice_platform.remove_visitor_files() from public;
