-- What resources are looked for by stands in columns of its own: the settings of a row may have a megabyte, which a look would unpack, row after row.
-- A collection may have a name of any length, so its hash stands here.
alter table voice_platform.resources
  add column name            text generated always as (settings ->> 'name') stored,
  add column status          text generated always as (settings ->> 'status') stored,
  add column assistant_id    text generated always as (settings ->> 'assistantId') stored,
  add column visibility      text generated always as (settings ->> 'visibility') stored,
  add column provider        text generated always as (settings ->> 'provider') stored,
  add column provider_id     text generated always as (settings ->> 'providerId') stored,
  add column test_suite_id   text generated always as (settings ->> 'testSuiteId') stored,
  add column customer_number text generated always as (settings #>> '{customer,number}') stored,
  add column collection_md5  text generated always as (md5(settings #>> '{metadata,collectionId}')) stored;
