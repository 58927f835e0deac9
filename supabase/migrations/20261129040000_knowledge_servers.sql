-- A knowledge base of a server of the developer's own: where it is asked, its secrets sealed. Null of one that has files.
alter table voice_platform.knowledge_bases add column server jsonb;
