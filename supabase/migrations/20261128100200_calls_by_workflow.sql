-- concurrently
-- The calls of a workflow, for lists of calls.
create index if not exists calls_by_workflow on voice_platform.calls (workflow_id, created_at, id) where workflow_id is not null;
