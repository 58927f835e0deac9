-- What the voice platform's API shows of the installation as its one organisation.
alter table voice_platform.settings
  add column org_name text,
  add column org_created_at timestamptz,
  add column org_updated_at timestamptz;
update voice_platform.settings
  set org_created_at = coalesce((select min(created_at) from voice_platform.assistants), now());
