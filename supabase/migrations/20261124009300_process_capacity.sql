-- How many calls a process holds at once, so that a full one knows whether another has room. Null: it has not said so; it holds as many as
-- whoever asks.
alter table voice_platform.processes add column calls_most integer check (calls_most >= 0);
