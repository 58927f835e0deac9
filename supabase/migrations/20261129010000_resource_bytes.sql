-- How large each stored resource is: octet_length of its settings as text and of its secrets. A family has a bound on the sum, and a list that is
-- too large is refused before a row is read. Null where the version before has stored it.
alter table voice_platform.resources add column bytes integer;
update voice_platform.resources set bytes = octet_length(settings::text) + coalesce(octet_length(sealed), 0);
