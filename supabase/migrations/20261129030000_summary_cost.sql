-- What the summary of a call cost, which analytics can sum: US dollars. Like its other parts it is null where no prices are known.
alter table voice_platform.call_figures add column summary_cost float8;

create function voice_platform.cost_of_summary(costs jsonb) returns float8 language sql immutable strict set search_path = '' as $$
  select coalesce(round(sum((p ->> 'cost')::numeric), 6), 0)::float8
  from jsonb_array_elements(case jsonb_typeof(costs) when 'array' then costs else '[]' end) p
  where p ->> 'type' = 'analysis' and p ->> 'analysisType' = 'summary'
$$;
revoke execute on function voice_platform.cost_of_summary(jsonb) from public;

create or replace function voice_platform.write_call_figures() returns trigger language plpgsql set search_path = '' as $$
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
    f.llm, f.stt, f.tts, f.vapi, f.characters, f.prompt, f.completion, new.created_at, new.started_at, new.ended_at,
    voice_platform.cost_of_summary(new.costs))
  on conflict (call_id) do update set type = excluded.type, status = excluded.status, ended_reason = excluded.ended_reason,
    assistant_id = excluded.assistant_id, success = excluded.success, cost = excluded.cost, llm = excluded.llm, stt = excluded.stt,
    tts = excluded.tts, vapi = excluded.vapi, tts_characters = excluded.tts_characters,
    llm_prompt_tokens = excluded.llm_prompt_tokens, llm_completion_tokens = excluded.llm_completion_tokens,
    created_at = excluded.created_at, started_at = excluded.started_at, ended_at = excluded.ended_at,
    summary_cost = excluded.summary_cost;
  return null;
end $$;

-- Gives calls of versions before this one their figures, and the cost of their summaries, in the order of their ids: at most so many after
-- this id. The last id that was looked at; null where there is none after it. A server does it after its start, part by part, while
-- everybody works.
create or replace function voice_platform.fill_call_figures(after uuid, most integer) returns uuid language plpgsql set search_path = '' as $$
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
    case when c.costs is not null then f.completion end, c.created_at, c.started_at, c.ended_at,
    voice_platform.cost_of_summary(c.costs)
  from voice_platform.calls c cross join lateral voice_platform.cost_figures(coalesce(c.costs, '[]')) f
  where c.id = any (ids) and not exists (select from voice_platform.call_figures o where o.call_id = c.id)
  on conflict (call_id) do nothing;
  update voice_platform.call_figures f set summary_cost = voice_platform.cost_of_summary(c.costs)
  from voice_platform.calls c
  where c.id = f.call_id and f.call_id in (
    select o.call_id from voice_platform.call_figures o where o.call_id = any (ids) and o.llm is not null and o.summary_cost is null
    order by o.call_id for update skip locked);
  return ids[cardinality(ids)];
end $$;
