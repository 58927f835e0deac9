-- concurrently
-- How many of a family there are, and how large they are together, without a look at a row.
create index if not exists resources_bytes on voice_platform.resources (family) include (bytes);
