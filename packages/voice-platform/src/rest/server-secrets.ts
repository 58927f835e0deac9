import type { Hono } from 'hono'
import type { Doorkeeper } from './access.js'

const SECRETS = new Set(['secret', 'headers'])
/** What is the developer's own, whatever its names say. */
const OPAQUE = new Set(['metadata', 'variableValues'])

/**
 * Every answer in JSON to a member below admin is without the secrets of servers, wherever they lie in it. Whoever may change an assistant reads
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

/** A value of an answer without `secret` and `headers` of all that is named `server` in it. */
export function withoutServerSecrets<Value>(value: Value): Value {
  const shown = (given: unknown, isServer = false): unknown => {
    if (Array.isArray(given)) return given.map((one) => shown(one))
    if (typeof given !== 'object' || given === null || given instanceof Date) return given
    return Object.fromEntries(
      Object.entries(given)
        .filter(([name]) => !(isServer && SECRETS.has(name)))
        .map(([name, inner]) => [name, OPAQUE.has(name) ? inner : shown(inner, name === 'server')]),
    )
  }
  return shown(value) as Value
}
