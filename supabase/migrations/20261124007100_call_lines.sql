-- What was said so far in calls that go on, a row for each line. The lines go into the call's own row when it ends, in the same
-- statement, whichever process and version ends it. A call that a version without this table holds has its words in its row alone.
create table voice_platform.call_lines (
  call_id  uuid not null references voice_platform.calls (id) on delete cascade,
  -- Ascending, with gaps where lines were dropped.
  position integer not null,
  -- Who speaks, as the transcript names them. Null: the line is not in the transcript.
  speaker  text,
  -- As in the messages of the call.
  message  jsonb not null,
  primary key (call_id, position)
);
alter table voice_platform.call_lines enable row level security;
revoke all on voice_platform.call_lines from public, anon, authenticated;

-- A statement that ends a call without telling what was said leaves its messages as they are: then the lines take their place.
create function voice_platform.keep_call_lines() returns trigger language plpgsql set search_path = '' as $$
declare
  said record;
begin
  if new.messages = old.messages then
    select jsonb_agg(l.message order by l.position) as messages,
      coalesce(string_agg(l.speaker || ': ' || (l.message ->> 'message'), E'\n' order by l.position), '') as transcript
    into said from voice_platform.call_lines l where l.call_id = new.id;
    if said.messages is not null then
      new.messages := said.messages;
      new.transcript := said.transcript;
    end if;
  end if;
  delete from voice_platform.call_lines l where l.call_id = new.id;
  return new;
end $$;
revoke execute on function voice_platform.keep_call_lines() from public;
create trigger calls_keep_lines before update of status on voice_platform.calls
  for each row when (old.status <> 'ended' and new.status = 'ended') execute function voice_platform.keep_call_lines();
