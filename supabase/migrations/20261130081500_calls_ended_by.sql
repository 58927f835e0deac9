-- Which work has ended a call. Where the answer to it was lost, its next try finds what it has done, and tells of the end. Null where nothing is
-- tried again.
alter table voice_platform.calls add column ended_by uuid;
