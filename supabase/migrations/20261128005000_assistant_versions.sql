-- What an assistant's settings were: each change makes a version, whoever makes it.
create table voice_platform.assistant_versions (
  assistant_id uuid not null references voice_platform.assistants (id) on delete cascade,
  version      integer not null,
  settings     jsonb not null,
  created_at   timestamptz(3) not null default now(),
  primary key (assistant_id, version)
);

create function voice_platform.keep_assistant_version() returns trigger
language plpgsql set search_path = '' as $$
declare
  latest integer;
begin
  if tg_op = 'UPDATE' and new.settings = old.settings then
    return null;
  end if;
  -- The row of the assistant is locked, so versions are counted one by one.
  select coalesce(max(version), 0) + 1 into latest
    from voice_platform.assistant_versions where assistant_id = new.id;
  insert into voice_platform.assistant_versions (assistant_id, version, settings) values (new.id, latest, new.settings);
  delete from voice_platform.assistant_versions where assistant_id = new.id and version <= latest - 50;
  return null;
end
$$;
revoke execute on function voice_platform.keep_assistant_version() from public;

create trigger keep_assistant_version after insert or update of settings on voice_platform.assistants
  for each row execute function voice_platform.keep_assistant_version();

insert into voice_platform.assistant_versions (assistant_id, version, settings, created_at)
  select id, 1, settings, updated_at from voice_platform.assistants;
