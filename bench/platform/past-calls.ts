import type { Db } from '@heyline/database'

export const CALLS = 100_000
const BATCH = 10_000
/** So many of the calls have each assistant and each customer. */
export const ASSISTANTS = 1_000
export const CUSTOMERS = 10_000

/** The id of an assistant of these calls. */
export const assistantOf = (n: number) =>
  `00000000-0000-4000-8000-${String(n % ASSISTANTS).padStart(12, '0')}`
/** The number of a customer of these calls. */
export const numberOf = (n: number) => `+1415555${String(n % CUSTOMERS).padStart(4, '0')}`

/** Two minutes each, and some 2 kB of words; one begins every 20 seconds. The last is about now. */
const FILL = `
  insert into voice_platform.calls (type, status, ended_reason, assistant_id, customer, assistant, owner, messages, transcript,
    analysis, costs, created_at, updated_at, started_at, ended_at)
  select case when n % 3 = 0 then 'webCall' else 'outboundPhoneCall' end, 'ended',
    case when n % 7 = 0 then 'silence-timed-out' else 'customer-ended-call' end,
    ('00000000-0000-4000-8000-' || lpad((n % ${ASSISTANTS})::text, 12, '0'))::uuid,
    case when n % 3 <> 0 then jsonb_build_object('number', '+1415555' || lpad((n % ${CUSTOMERS})::text, 4, '0'), 'name', 'Customer ' || n % ${CUSTOMERS}) end,
    jsonb_build_object('firstMessage', 'Hello.', 'model', jsonb_build_object('messages', jsonb_build_array(
      jsonb_build_object('role', 'system', 'content', repeat('You are a friendly receptionist. ', 20))))),
    gen_random_uuid(),
    (select jsonb_agg(jsonb_build_object('role', case when i % 2 = 0 then 'bot' else 'user' end, 'message', 'How can I help you today, caller ' || n || '?',
      'time', 0, 'secondsFromStart', i)) from generate_series(1, 12) i),
    repeat('AI: How can I help you today?' || E'\\n', 12),
    jsonb_build_object('summary', 'Somebody asked for bread.', 'successEvaluation', (n % 2 = 0)::text),
    jsonb_build_array(jsonb_build_object('type', 'model', 'cost', n % 100 / 1000.0, 'promptTokens', 900, 'completionTokens', 90),
      jsonb_build_object('type', 'voice', 'cost', 0.01, 'characters', 400), jsonb_build_object('type', 'transcriber', 'cost', 0.01),
      jsonb_build_object('type', 'vapi', 'cost', 0.05)),
    at, at, at, at + interval '2 minutes'
  from (select n, now() - (${CALLS} - n) * interval '20 seconds' as at from generate_series($1::int, $2::int) n) calls`

export async function fillWithCalls(db: Db): Promise<void> {
  for (let from = 1; from <= CALLS; from += BATCH)
    await db.transaction((tx) => tx.query(FILL, [from, from + BATCH - 1]), { patienceMs: 120_000 })
  // As a Postgres does by itself, within minutes. It may take longer than a statement of a server.
  await db.session?.((session) =>
    session.exec('vacuum (analyze) voice_platform.calls, voice_platform.call_figures'),
  )
}
