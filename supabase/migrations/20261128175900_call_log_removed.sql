-- Since when nobody may read a call's log any more.
alter table voice_platform.calls add column log_removed_at timestamptz;
