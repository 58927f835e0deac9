import type { Db } from '@heyline/database'
import { type FilledHeyline, SECRET_KEY } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms, quantile } from '../report/table.js'

/** What an operator asks for: each time it is drawn anew. */
export interface Question {
  what: string
  query(server: FilledHeyline): Record<string, string> | Promise<Record<string, string>>
}

/** The most that 95 of 100 answers may take, in ms. */
const LIMIT_MS = 150
const ROUNDS = 60

/** A whole number from 0 on, and below `most`. */
export const any = (most: number) => Math.floor(Math.random() * most)

export const oneOf = <Value>(values: readonly [Value, ...Value[]]): Value =>
  values[any(values.length)] ?? values[0]

/** Asks each question 60 times, one after another, over HTTP: how long 95 of 100 answers take. `operation` as of `answerOf`. */
export async function askedAll(
  server: FilledHeyline,
  operation: string,
  questions: readonly Question[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, query } of questions) {
    const taken: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await query(server)
      const began = performance.now()
      await answerOf(server, operation, asked)
      taken.push(performance.now() - began)
    }
    figures.push(
      limited({
        what: `p95 of ${what}`,
        value: quantile(taken, 0.95),
        limit: LIMIT_MS,
        show: ms,
        beside: `p50 ${ms(quantile(taken, 0.5))}`,
      }),
    )
  }
  return figures
}

/** A Postgres vacuums by itself within minutes of a change, and here at once. Our server sees to that for PGlite. */
export async function vacuumed(db: Db) {
  if (db.kind === 'postgres') await db.exec('vacuum (analyze)')
}

/** The answer of the operators' API to an operation such as `GET /visitors`; 100 rows of it unless the query says otherwise. */
export async function answerOf(
  server: FilledHeyline,
  operation: string,
  query: Record<string, string>,
): Promise<unknown> {
  const [method, path] = operation.split(' ')
  const asked = { limit: '100', ...query }
  const url = `${server.url}/-/office${path}`
  const headers = { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/json' }
  const answer = await (method === 'GET'
    ? fetch(`${url}?${new URLSearchParams(asked)}`, { headers })
    : fetch(url, { method, headers, body: JSON.stringify({ ...asked, limit: Number(asked.limit) }) }))
  const said = await answer.text()
  if (answer.status !== 200) throw new Error(`A search answered ${answer.status}: ${said}`)
  return JSON.parse(said)
}
