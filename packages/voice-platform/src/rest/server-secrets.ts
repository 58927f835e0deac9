import { loopTurn } from '@heyline/kit/loop-turn'
import type { Hono } from 'hono'
import { valuesOf } from '../resources/values-of.js'
import type { Doorkeeper } from './access.js'
import { withoutFixedValues } from './fixed-values.js'
import { withOriginOfMcp } from './mcp-address.js'

/** What is left out, by what it lies in. */
const SECRETS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['server', new Set(['secret', 'headers'])],
  ['model', new Set(['headers'])],
  ['fallbackModels', new Set(['headers'])],
])
/** What is left out, by the type of what it lies in. */
const SECRETS_OF_TYPES: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['code', new Set(['environmentVariables'])],
])
/** Stands for the `headers` of a tool that asks any server. */
const API_HEADERS = 'headers of an apiRequest'
/** Of a credential that lies in an assistant, no more is shown than of a stored one; of those headers, that there are some. */
const SHOWN_ALONE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['credentials', new Set(['id', 'name', 'provider', 'type'])],
  [API_HEADERS, new Set(['type', 'required'])],
])
/** What is the developer's own, whatever its names say. */
const OPAQUE = new Set(['metadata', 'variableValues'])
/** The tool of a template. Editors change it, so they read its fixed values and its address. */
const TEMPLATE = 'details'

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
/** Values that are masked and written in one go: some milliseconds. So many characters take as long as one of them. */
const VALUES_OF_A_TURN = 10_000
const CHARACTERS_OF_A_VALUE = 100

/** The same as `withoutServerSecrets`, as JSON, with turns for others between the rows of a list or a page. */
async function writtenWithoutSecrets(value: object): Promise<string> {
  if (Array.isArray(value)) return `[${await rowsOf(value)}]`
  const { results, ...others } = value as { results?: unknown }
  if (!Array.isArray(results)) return JSON.stringify(withoutServerSecrets(value))
  const rest = JSON.stringify(withoutServerSecrets(others)).slice(1)
  return `{"results":[${await rowsOf(results)}]${rest === '}' ? '' : ','}${rest}`
}

const rowsOf = async (rows: readonly unknown[]) =>
  (await writtenInTurns(rows, withoutServerSecrets)).join(',')

/** Each of these rows as `shown` leaves it, as JSON, with turns for others between them. */
export async function writtenInTurns<Row>(
  rows: readonly Row[],
  shown: (row: Row) => unknown,
): Promise<string[]> {
  const written: string[] = []
  let values = 0
  for (const row of rows) {
    values += valuesOf(row)
    if (values > VALUES_OF_A_TURN) {
      await loopTurn()
      values = 0
    }
    const text = JSON.stringify(shown(row)) ?? 'null'
    values += text.length / CHARACTERS_OF_A_VALUE
    written.push(text)
  }
  return written
}

/**
 * A value of an answer without `secret` and `headers` of all that is named `server` in it, `headers` of models and of tools that ask any
 * server, what the code of tools is given, fixed values of tools, addresses of MCP servers beyond the origin, and keys of `credentials`.
 */
export function withoutServerSecrets<Value>(value: Value): Value {
  const shown = (given: unknown, at = ''): unknown => {
    if (Array.isArray(given)) return given.map((one) => shown(one, at))
    if (typeof given !== 'object' || given === null || given instanceof Date) return given
    const type = 'type' in given ? given.type : undefined
    const isApiRequest = type === 'apiRequest'
    const [alone, secrets, secretsOfType] = [SHOWN_ALONE.get(at), SECRETS.get(at), SECRETS_OF_TYPES.get(type)]
    return Object.fromEntries(
      Object.entries(at === TEMPLATE ? given : withOriginOfMcp(withoutFixedValues(given)))
        .filter(([name]) => (alone ? alone.has(name) : !secrets?.has(name) && !secretsOfType?.has(name)))
        .map(([name, inner]) => [
          name,
          OPAQUE.has(name) ? inner : shown(inner, isApiRequest && name === 'headers' ? API_HEADERS : name),
        ]),
    )
  }
  return shown(value) as Value
}
