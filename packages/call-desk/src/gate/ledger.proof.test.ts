import type { Db, Queryable } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk.js'
import { Seeded } from '../testing/seeded.js'

const second = 1_000_000
const day = 24 * 3600 * second
const month = 31 * day

/** One step of a run: reserve `amount` at `at` (microseconds after the run's begin), or settle the reservation of an earlier step at `cost`. */
type Step = { at: number; amount: number } | { of: number; cost: number }

interface Run {
  dayLimit: number
  monthLimit: number
  steps: Step[]
}

/** What a run did: the answer of each reservation (null: reserved), and whether any 24 hours or 31 days went above their limit. */
interface Outcome {
  answers: (string | null)[]
  overshoot: number
}

/**
 * Plays runs over the real functions, each in a time of its own, 100 days after the one before. After each reservation it adds up every
 * 24 hours and every 31 days: the fullest end at a reservation.
 */
const playRuns = `
  create function play_runs(runs jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
  declare
    run jsonb; step jsonb; outcomes jsonb := '[]'; answers jsonb; ids uuid[]; answer text; request uuid;
    begun timestamptz := '2026-01-01Z'; over bigint; day_limit bigint; month_limit bigint;
  begin
    for run in select value from jsonb_array_elements(runs) loop
      begun := begun + interval '100 days';
      answers := '[]'; ids := '{}'; over := 0;
      day_limit := (run->>'dayLimit')::bigint; month_limit := (run->>'monthLimit')::bigint;
      for step in select value from jsonb_array_elements(run->'steps') loop
        if step ? 'of' then
          ids := ids || null::uuid;
          perform call_desk.settle_spend(ids[(step->>'of')::int + 1], (step->>'cost')::bigint);
          continue;
        end if;
        request := gen_random_uuid();
        ids := ids || request;
        answer := call_desk.reserve_spend(request, (step->>'amount')::bigint, day_limit, month_limit,
          begun + (step->>'at')::bigint * interval '1 microsecond');
        answers := answers || coalesce(to_jsonb(answer), 'null');
        continue when answer is not null;
        select over + count(*) into over from (
          select sum(coalesce(l.spent, l.reserved))
              over (order by l.at range between interval '24 hours' - interval '1 microsecond' preceding and current row) as day,
            sum(coalesce(l.spent, l.reserved))
              over (order by l.at range between interval '31 days' - interval '1 microsecond' preceding and current row) as month
          from call_desk.ledger l where l.at >= begun) sums
        where day > day_limit or month > month_limit;
      end loop;
      outcomes := outcomes || jsonb_build_object('answers', answers, 'overshoot', over);
    end loop;
    truncate call_desk.ledger;
    return outcomes;
  end $$`

/** Times where a limit that is one off shows: just inside, on, and just outside of the windows; else any. */
function timeAfter(random: Seeded, last: number): number {
  const step = random.oneOf([0, 1, second, day / 2, day, day, month, month - day])
  const edge = random.oneOf([-1, 0, 0, 1])
  const far = random.whole(0, 9) === 0 ? random.whole(0, 40) * day : last + step + edge
  return Math.max(0, Math.min(far, 60 * day))
}

function makeRun(random: Seeded): Run {
  const dayLimit = random.whole(1, 20)
  const run: Run = { dayLimit, monthLimit: random.whole(dayLimit, 3 * dayLimit), steps: [] }
  const bound: number[] = []
  let last = 0
  for (let step = random.whole(4, 12); step > 0; step--) {
    const of = random.whole(0, Math.max(0, run.steps.length - 1))
    const most = bound[of]
    if (most !== undefined && random.whole(0, 2) === 0) {
      // A call never costs more than its worst case; a later word may only be less.
      const cost = random.whole(0, most)
      bound[of] = cost
      run.steps.push({ of, cost })
      continue
    }
    last = timeAfter(random, last)
    const amount = random.whole(0, dayLimit + 1)
    bound[run.steps.length] = amount
    run.steps.push({ at: last, amount })
  }
  return run
}

/** What the reservations must answer, after the definition of the limits alone. */
function expectedAnswers({ dayLimit, monthLimit, steps }: Run): (string | null)[] {
  const answers: (string | null)[] = []
  const spends = new Map<number, { at: number; spent: number }>()
  const since = (at: number): number =>
    [...spends.values()].reduce((sum, spend) => sum + (spend.at > at ? spend.spent : 0), 0)
  for (const [index, step] of steps.entries()) {
    if ('of' in step) {
      const spend = spends.get(step.of)
      if (spend) spend.spent = step.cost
      continue
    }
    const { at, amount } = step
    const isOverDay = since(at - day) + amount > dayLimit
    const isOverMonth = since(at - month) + amount > monthLimit
    answers.push(isOverDay ? 'day' : isOverMonth ? 'month' : null)
    if (!isOverDay && !isOverMonth) spends.set(index, { at, spent: amount })
  }
  return answers
}

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
  await db.exec(playRuns)
})
afterAll(() => db.close())

async function play(tx: Queryable, runs: readonly Run[]): Promise<Outcome[]> {
  const { rows } = await tx.query<{ outcomes: Outcome[] }>('select play_runs($1::jsonb) as outcomes', [runs])
  return rows[0]?.outcomes ?? []
}

/** Many runs are one statement, which on a busy machine takes longer than others may. */
const patient = { patienceMs: Number.POSITIVE_INFINITY }

const seeded = (seed: number, count: number): Run[] => {
  const random = new Seeded(seed)
  return Array.from({ length: count }, () => makeRun(random))
}

describe('the ledger', () => {
  it('never lets any 24 hours or 31 days go above their limit, in 10,000 random runs', async () => {
    let reserved = 0
    let refused = 0
    for (let seed = 1; seed <= 50; seed++) {
      const runs = seeded(seed, 200)
      const outcomes = await db.transaction((tx) => play(tx, runs), patient)
      expect(outcomes).toHaveLength(runs.length)
      for (const [index, run] of runs.entries()) {
        const answers = expectedAnswers(run)
        const told = `seed ${seed}, run ${index}: ${JSON.stringify(run)}`
        expect(outcomes[index], told).toEqual({ answers, overshoot: 0 })
        reserved += answers.filter((answer) => answer === null).length
        refused += answers.filter((answer) => answer !== null).length
      }
    }
    expect(reserved).toBeGreaterThan(10_000)
    expect(refused).toBeGreaterThan(10_000)
  }, 120_000)

  it.each([
    ['day_sum + amount > day_limit', 'day_sum > day_limit'],
    ['month_sum + amount > month_limit', 'month_sum > month_limit'],
    ["interval '24 hours'", "interval '23 hours 59 minutes 59.999999 seconds'"],
    ["interval '31 days'", "interval '30 days'"],
    ['coalesce(l.spent, l.reserved)', 'coalesce(l.spent, 0)'],
  ])('is seen to overshoot where "%s" is broken', async (right, wrong) => {
    const rollback = new Error('rolled back')
    let overshoot = 0
    const broken = db.transaction(async (tx) => {
      const { rows } = await tx.query<{ definition: string }>(
        `select pg_get_functiondef('call_desk.reserve_spend(uuid, text, bigint, bigint, bigint, timestamptz)'::regprocedure)
           as definition`,
      )
      const definition = rows[0]?.definition ?? ''
      expect(definition).toContain(right)
      await tx.exec(definition.replaceAll(right, wrong))
      for (const outcome of await play(tx, seeded(1, 200))) overshoot += outcome.overshoot
      throw rollback
    }, patient)
    await expect(broken).rejects.toBe(rollback)
    expect(overshoot).toBeGreaterThan(0)
  })
})
