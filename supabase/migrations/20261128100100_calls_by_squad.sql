-- concurrently
-- The calls of a squad, for lists of calls.
create index if not exists calls_by_squad on voice_platform.calls (squad_id, created_at, id) where squad_id is not null;
