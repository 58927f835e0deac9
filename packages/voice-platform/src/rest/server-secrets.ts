import { loopTurn } from '@heyline/kit/loop-turn'
import type { Hono } from 'hono'
import { valuesOf } from '../resources/values-of.js'
import type { Doorkeeper } from './access.js'

/** What is left out, by what it lies in. */
const SECRETS: Readonly<Record<string, ReadonlySet<string>>> = {
  server: new Set(['secret', 'headers']),
  model: new Set(['headers']),
}
/** Of a credential that lies in an assistant, no more is shown than of a stored one. */
const SHOWN_OF_CREDENTIALS = new Set(['id', 'name', 'provider', 'type'])
/** What is the developer's own, whatever its names say. */
const OPAQUE = new Set(['metadata', 'variableValues'])

/**
 * Every answer in JSON to a member below admin is without the secrets of servers, models and credentials, wherever they lie in it. Whoever may change an assistant reads
 * back what they stored. Answers that are written while they are read use `withoutServerSecrets` themselves.
 */
export function hideServerSecrets(app: Hono, doorkeeper: Doorkeeper): void {
  app.use(async (context, next) => {
    const { json } = context
    const hiding = (value: object, ...others: unknown[]) => {
      // Who asks is known by now: it was admitted.
      if (doorkeeper.seesSecrets(context.req.raw)) return Reflect.apply(json, context, [value, ...others])
      // Handlers give it to Hono, which awaits it.
      return writtenWithoutSecrets(value).then((text) => {
        const [status, headers] = others
        return Reflect.apply(context.body, context, [text, status, { ...JSON_TYPE, ...Object(headers) }])
      })
    }
    context.json = hiding as typeof json
    await next()
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
/** Values that are masked and written in one go: some milliseconds. */
const VALUES_OF_A_TURN = 10_000

/** The same as `withoutServerSecrets`, as JSON, with turns for others between the rows of a list or a page. */
async function writtenWithoutSecrets(value: object): Promise<string> {
  if (Array.isArray(value)) return await rowsInTurns(value)
  const { results, ...others } = value as { results?: unknown }
  if (!Array.isArray(results)) return JSON.stringify(withoutServerSecrets(value))
  const rest = JSON.stringify(withoutServerSecrets(others)).slice(1)
  return `{"results":${await rowsInTurns(results)}${rest === '}' ? '' : ','}${rest}`
}

async function rowsInTurns(rows: readonly unknown[]): Promise<string> {
  const written: string[] = []
  let values = 0
  for (const row of rows) {
    values += valuesOf(row)
    if (values > VALUES_OF_A_TURN) {
      await loopTurn()
      values = 0
    }
    written.push(JSON.stringify(withoutServerSecrets(row)) ?? 'null')
  }
  return `[${written.join(',')}]`
}

/** A value of an answer without `secret` and `headers` of all that is named `server` in it, `headers` of models, and keys of `credentials`. */
export function withoutServerSecrets<Value>(value: Value): Value {
  const shown = (given: unknown, at = ''): unknown => {
    if (Array.isArray(given)) return given.map((one) => shown(one, at === 'credentials' ? at : ''))
    if (typeof given !== 'object' || given === null || given instanceof Date) return given
    return Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => (at === 'credentials' ? SHOWN_OF_CREDENTIALS.has(name) : !SECRETS[at]?.has(name)))
        .map(([name, inner]) => [name, OPAQUE.has(name) ? inner : shown(inner, name)]),
    )
  }
  return shown(value) as Value
}
