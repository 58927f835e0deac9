-- Recordings of calls. The sound is in files; a row tells on which disk they are and how they ended. A row outlives its call until the
-- files are gone: their disk may be another server's.
create table voice_platform.recordings (
  call_id      uuid primary key,
  -- The id of the folder, which is in its file `disk-id`.
  disk         uuid not null,
  -- Who wrote it.
  process      uuid not null,
  -- `ogg` or `wav`.
  format       text not null,
  -- `running`, `whole`, `cut` (it ended before its call) or `dropped` (nothing was kept).
  state        text not null default 'running',
  -- The caller has heard that the call is recorded. Without that nothing is kept.
  announced    boolean not null default false,
  -- Why it is cut or dropped.
  note         text,
  seconds      double precision,
  stereo_bytes bigint,
  mono_bytes   bigint,
  created_at   timestamptz not null default now(),
  ended_at     timestamptz,
  -- Since when nobody may hear it any more.
  removed_at   timestamptz
);
create index recordings_by_age on voice_platform.recordings (disk, created_at);
alter table voice_platform.recordings enable row level security;
revoke all on voice_platform.recordings from public, anon, authenticated;

-- Whoever removes a call or its words, by whatever statement and version, removes its recording.
create function voice_platform.remove_recording() returns trigger language plpgsql set search_path = '' as $$
begin
  update voice_platform.recordings r set removed_at = now() where r.call_id = old.id and r.removed_at is null;
  return null;
end $$;
revoke execute on function voice_platform.remove_recording() from public;
create trigger calls_remove_recording after delete on voice_platform.calls
  for each row execute function voice_platform.remove_recording();
create trigger calls_remove_recording_with_texts after update of texts_removed_at on voice_platform.calls
  for each row when (old.texts_removed_at is null and new.texts_removed_at is not null)
  execute function voice_platform.remove_recording();

-- Which disk of recordings a process has. Null: none, as in the version before.
alter table voice_platform.processes add column recording_disk uuid;
