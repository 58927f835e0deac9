-- Where the other processes reach one directly, `HOST:PORT`: clients whose calls it holds, and long messages, are passed on to it.
-- Null: nowhere, as in the version before.
alter table voice_platform.processes add column relay_address text;
