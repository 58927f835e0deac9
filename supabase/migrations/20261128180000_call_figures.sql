-- What lists, exports and analytics ask of calls besides their times: a narrow row for each call, so that a question about 100,000 of
-- them reads no prompts and no words. Triggers write it in the statement that changes the call, whichever version makes it.
create table voice_platform.call_figures (
  call_id               uuid primary key references voice_platform.calls (id) on delete cascade,
  type                  text not null,
  status                text not null,
  ended_reason          text,
  assistant_id          uuid,
  -- The beginning of the success evaluation.
  success               text,
  -- US dollars. Null until the call has ended; its parts are null where no prices are known.
  cost                  float8,
  llm                   float8,
  stt                   float8,
  tts                   float8,
  vapi                  float8,
  tts_characters        float8,
  llm_prompt_tokens     float8,
  llm_completion_tokens float8,
  created_at            timestamptz(3) not null,
  started_at            timestamptz(3),
  ended_at              timestamptz(3)
);
alter table voice_platform.call_figures enable row level security;
revoke all on voice_platform.call_figures from public, anon, authenticated;

create function voice_platform.cost_figures(costs jsonb)
returns table (total float8, llm float8, stt float8, tts float8, vapi float8, characters float8, prompt float8, completion float8)
language sql immutable set search_path = '' as $$
  select coalesce(round(sum((p ->> 'cost')::numeric), 6), 0)::float8,
    coalesce(round(sum((p ->> 'cost')::numeric) filter (where p ->> 'type' = 'model'), 6), 0)::float8,
    coalesce(round(sum((p ->> 'cost')::numeric) filter (where p ->> 'type' = 'transcriber'), 6), 0)::float8,
    coalesce(round(sum((p ->> 'cost')::numeric) filter (where p ->> 'type' = 'voice'), 6), 0)::float8,
    coalesce(round(sum((p ->> 'cost')::numeric) filter (where p ->> 'type' = 'vapi'), 6), 0)::float8,
    coalesce(sum((p ->> 'characters')::numeric) filter (where p ->> 'type' = 'voice'), 0)::float8,
    coalesce(sum((p ->> 'promptTokens')::numeric) filter (where p ->> 'type' = 'model'), 0)::float8,
    coalesce(sum((p ->> 'completionTokens')::numeric) filter (where p ->> 'type' = 'model'), 0)::float8
  from jsonb_array_elements(case jsonb_typeof(costs) when 'array' then costs else '[]' end) p
$$;
revoke execute on function voice_platform.cost_figures(jsonb) from public;

create function voice_platform.write_call_figures() returns trigger language plpgsql set search_path = '' as $$
declare
  f record;
begin
  if new.costs is not null then
    select * into f from voice_platform.cost_figures(new.costs);
  else
    select 0::float8 as total, null::float8 as llm, null::float8 as stt, null::float8 as tts, null::float8 as vapi,
      null::float8 as characters, null::float8 as prompt, null::float8 as completion into f;
  end if;
  insert into voice_platform.call_figures as o values (new.id,
    case when new.carrier = 'vapi.websocket' then 'vapi.websocketCall' else new.type end, new.status, new.ended_reason, new.assistant_id,
    left(new.analysis ->> 'successEvaluation', 101), case when new.status = 'ended' then f.total end,
    f.llm, f.stt, f.tts, f.vapi, f.characters, f.prompt, f.completion, new.created_at, new.started_at, new.ended_at)
  on conflict (call_id) do update set type = excluded.type, status = excluded.status, ended_reason = excluded.ended_reason,
    assistant_id = excluded.assistant_id, success = excluded.success, cost = excluded.cost, llm = excluded.llm, stt = excluded.stt,
    tts = excluded.tts, vapi = excluded.vapi, tts_characters = excluded.tts_characters,
    llm_prompt_tokens = excluded.llm_prompt_tokens, llm_completion_tokens = excluded.llm_completion_tokens,
    created_at = excluded.created_at, started_at = excluded.started_at, ended_at = excluded.ended_at;
  return null;
end $$;
revoke execute on function voice_platform.write_call_figures() from public;
create trigger calls_write_figures
  after insert or update of type, status, ended_reason, assistant_id, analysis, costs, created_at, started_at, ended_at
  on voice_platform.calls for each row execute function voice_platform.write_call_figures();

-- Gives calls of versions before this one their figures, in the order of their ids: at most so many after this id. The last id that was
-- looked at; null where there is none after it. A server does it after its start, part by part, while everybody works.
create function voice_platform.fill_call_figures(after uuid, most integer) returns uuid language plpgsql set search_path = '' as $$
declare
  ids uuid[];
begin
  ids := array(select c.id from voice_platform.calls c where c.id > after order by c.id limit most);
  insert into voice_platform.call_figures
  select c.id, case when c.carrier = 'vapi.websocket' then 'vapi.websocketCall' else c.type end, c.status, c.ended_reason, c.assistant_id,
    left(c.analysis ->> 'successEvaluation', 101), case when c.status = 'ended' then f.total end,
    case when c.costs is not null then f.llm end, case when c.costs is not null then f.stt end,
    case when c.costs is not null then f.tts end, case when c.costs is not null then f.vapi end,
    case when c.costs is not null then f.characters end, case when c.costs is not null then f.prompt end,
    case when c.costs is not null then f.completion end, c.created_at, c.started_at, c.ended_at
  from voice_platform.calls c cross join lateral voice_platform.cost_figures(coalesce(c.costs, '[]')) f
  where c.id = any (ids) and not exists (select from voice_platform.call_figures o where o.call_id = c.id)
  on conflict (call_id) do nothing;
  return ids[cardinality(ids)];
end $$;
revoke execute on function voice_platform.fill_call_figures(uuid, integer) from public;

create index call_figures_by_time on voice_platform.call_figures (created_at);
create index call_figures_by_cost on voice_platform.call_figures (cost) where cost > 0;
create index call_figures_by_success on voice_platform.call_figures (success) where success is not null;
