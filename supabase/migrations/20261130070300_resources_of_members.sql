-- The names of the settings that a member below admin wrote last, of those that steer an owner's tools. Null where there are none, and where the
-- version before has stored them.
alter table voice_platform.resources add column of_members jsonb;
