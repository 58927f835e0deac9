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
begin
  new.name := new.settings ->> 'name';
  new.status := new.settings ->> 'status';
  new.assistant_id := new.settings ->> 'assistantId';
  new.visibility := new.settings ->> 'visibility';
  new.provider := new.settings ->> 'provider';
  new.provider_id := new.settings ->> 'providerId';
  new.test_suite_id := new.settings ->> 'testSuiteId';
  new.customer_number := new.settings #>> '{customer,number}';
  new.collection_md5 := pg_catalog.md5(new.settings #>> '{metadata,collectionId}');
  return new;
end $$;
revoke execute on function voice_platform.note_found_by() from public;
create trigger resources_note_found_by before insert or update of settings on voice_platform.resources
  for each row execute function voice_platform.note_found_by();
update voice_platform.resources set settings = settings;
