import type { Hono } from 'hono'
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
    const hiding = (value: object, ...others: unknown[]) =>
      // Who asks is known by now: it was admitted.
      Reflect.apply(json, context, [
        doorkeeper.seesSecrets(context.req.raw) ? value : withoutServerSecrets(value),
        ...others,
      ])
    context.json = hiding as typeof json
    await next()
  })
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
