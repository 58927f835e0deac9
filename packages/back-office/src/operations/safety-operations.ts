import { refusalCount, SPEND_DAYS, spendDay } from '@heyline/call-desk/records'
import { z } from 'zod'
import { json, operation } from './operation.js'

const kind = z.enum(['phone', 'web'])
const budget = z.number().nullable()
const budgets = z.object({ day: budget, month: budget })

/** A limit of the gate, as it stands in the environment of the server. */
const limit = z.object({
  /** `CALL_LIMIT_NUMBER`. */
  setting: z.string(),
  kind,
  /** What it is about, in one sentence. */
  meaning: z.string(),
  /** As the environment writes them: `1/2m,3/24h`, `off`. */
  value: z.string(),
  default: z.string(),
  /** It lets more pass than its default. */
  raised: z.boolean(),
  /** In what `most` and `used` count. */
  unit: z.enum(['calls', 'microusd']),
  /** How much of it is used, window by window; `used` of the busiest one where it is about one number, page or address. */
  use: z.array(
    z.object({
      /** `24h`, `ever`; null where it is about this moment. */
      span: z.string().nullable(),
      most: z.number(),
      /** Null where that is not counted. */
      used: z.number().nullable(),
    }),
  ),
})

export const safetyOperations = {
  limits: operation({
    method: 'GET',
    path: '/safety/limits',
    summary:
      'Every limit of the gate: its value, its default, and how much of it is used, at most a second old',
    role: 'viewer',
    answer: json(
      z.object({
        /** `simulated`: most limits do not count, because nobody can be called but this machine. */
        mode: z.object({ phone: z.enum(['full', 'simulated']), web: z.enum(['full', 'simulated']) }),
        /** Where they are changed. */
        where: z.string(),
        limits: z.array(limit),
      }),
    ),
  }),
  spend: operation({
    method: 'GET',
    path: '/safety/spend',
    summary: 'What calls cost day by day, and the budgets; money in millionths of a US dollar',
    role: 'viewer',
    query: z.object({ days: z.coerce.number<number>().int().min(1).max(SPEND_DAYS).default(31) }),
    answer: json(
      z.object({
        days: z.array(spendDay),
        /** Of any 24 hours, and of any 31 days; null where there is none. */
        budgets: z.object({ phone: budgets, web: budgets }),
      }),
    ),
  }),
  refusals: operation({
    method: 'GET',
    path: '/safety/refusals',
    summary: 'How often the gate refused for what, in the last 24 hours and the last 31 days',
    role: 'viewer',
    answer: json(z.array(refusalCount)),
  }),
}
