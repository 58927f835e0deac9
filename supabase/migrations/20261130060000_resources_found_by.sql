-- What resources are looked for by stands in columns of its own: the settings of a row may have a megabyte, which a look would unpack, row after row.
-- A trigger fills them, for whichever version stores the settings. A collection may have a name of any length, so its hash stands here.
alter table voice_platform.resources
  add column name            text,
  add column status          text,
  add column assistant_id    text,
  add column visibility      text,
  add column provider        text,
  add column provider_id     text,
  add column test_suite_id   text,
  add column customer_number text,
  add column collection_md5  text;

create function voice_platform.note_found_by() returns trigger language plpgsql set search_path = '' as $$
declare
  -- Unpacked once.
  settings jsonb := new.settings || '{}';
begin
  new.name := settings ->> 'name';
  new.status := settings ->> 'status';
  new.assistant_id := settings ->> 'assistantId';
  new.visibility := settings ->> 'visibility';
  new.provider := settings ->> 'provider';
  new.provider_id := settings ->> 'providerId';
  new.test_suite_id := settings ->> 'testSuiteId';
  new.customer_number := settings #>> '{customer,number}';
  new.collection_md5 := pg_catalog.md5(settings #>> '{metadata,collectionId}');
  return new;
end $$;
revoke execute on function voice_platform.note_found_by() from public;
create trigger resources_note_found_by before insert or update of settings on voice_platform.resources
  for each row execute function voice_platform.note_found_by();
update voice_platform.resources set settings = settings;
