import type { Clock } from '@heyline/kit/clock'
import type { z } from 'zod'
import type { apiRequestTool } from '../assistants/http-tool-schema.js'
import { templateFiller, type Variables } from '../assistants/template.js'
import type { CallTool, ToolOutcome, ToolRun } from '../tools/call-tool.js'
import { type Answer, type GuardOptions, guardedRequest } from '../tools/guarded-request.js'
import { pause } from '../work/abortable.js'
import { namedValue, withFixed, withoutFixed } from '../work/schema-values.js'

export type ApiRequest = z.output<typeof apiRequestTool>

const TIMEOUT_SECONDS = 20
/** Of an address. A longer one is refused as a whole: its end, which may say whose data is asked for, is never cut off. */
const MOST_URL = 2_000
const MOST_VALUE = 4_000
/** Most characters of an answer's words that a failure shows to the model. */
const MOST_REASON = 500
/** Answers below 500 that another try may change. */
const WORTH_ANOTHER_TRY = [408, 429]

export interface ApiRequestOptions extends Omit<GuardOptions, 'clock' | 'signal'> {
  variables: Variables
  clock: Clock
}

/**
 * A tool that asks any server. What the model and the call say is encoded in the address, and chooses no other host. A property with a
 * `value`, at any depth, is the tool's own: the model does not see it. What the tool has not offered to the model goes nowhere: a caller may
 * talk it into giving more.
 */
export function apiRequest(tool: ApiRequest, options: ApiRequestOptions): Pick<CallTool, 'model' | 'run'> {
  const { body, function: named } = tool
  return {
    model: {
      name: named?.name ?? tool.name ?? 'apiRequest',
      description: named?.description ?? tool.description ?? `Asks a server by ${tool.method}.`,
      parameters: { ...Object(withoutFixed({ properties: {}, ...body })), type: 'object' },
    },
    run: (given, run) => outcome(tool, offeredOf(tool, given), run, options),
  }
}

/** What of the model's values the tool offers to it. */
const offeredOf = ({ body = { properties: {} } }: ApiRequest, given: Record<string, unknown>) =>
  Object(namedValue(given, body)) as Record<string, unknown>

async function outcome(
  tool: ApiRequest,
  given: Record<string, unknown>,
  { signal }: ToolRun,
  { variables, clock, ...guard }: ApiRequestOptions,
): Promise<ToolOutcome> {
  const values = { ...given, ...variables.values }
  const url = templateFiller({ ...variables, values: encoded(values) })(tool.url, MOST_URL + 1)
  const text = templateFiller({ ...variables, values })
  const own = (value: unknown) => (typeof value === 'string' ? text(value, MOST_VALUE) : value)
  const hasBody = tool.method !== 'GET'
  const headers = Object.entries(tool.headers?.properties ?? {}).flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, String(own(value))]],
  )
  const asked = {
    ...{ method: tool.method, url, timeoutSeconds: tool.timeoutSeconds ?? TIMEOUT_SECONDS },
    headers: {
      'user-agent': 'Heyline',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...Object.fromEntries(headers),
    },
    ...(hasBody && { body: JSON.stringify(withFixed(given, tool.body, own)) }),
  }
  const { type = 'fixed', maxRetries = 0, baseDelaySeconds = 0 } = tool.backoffPlan ?? {}
  for (let tries = 1; ; tries += 1) {
    const answer = await guardedRequest(asked, { ...guard, clock, signal })
    if (tries > maxRetries || signal.aborted || !isWorthAnotherTry(answer)) return outcomeOf(answer)
    await pause(clock, 1000 * baseDelaySeconds * (type === 'exponential' ? 2 ** (tries - 1) : 1), signal)
  }
}

function outcomeOf(answer: Answer): ToolOutcome {
  if ('error' in answer) return answer
  const { status, text } = answer
  if (status >= 200 && status < 300) return { result: text || `The server answered ${status}.` }
  return { error: `The server of the tool answered ${status}. ${text.slice(0, MOST_REASON)}`.trim() }
}

const isWorthAnotherTry = (answer: Answer): boolean =>
  'error' in answer || answer.status >= 500 || WORTH_ANOTHER_TRY.includes(answer.status)

/** Values as they may stand in an address: none of them ends its part of the path or leads out of it. */
const encoded = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodedValue(value)]))

/** Objects stand there with the names of their fields. */
function encodedValue(value: unknown): unknown {
  if (typeof value === 'string') return encodedText(value)
  if (Array.isArray(value)) return value.map(encodedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [encodedText(name), encodedValue(inner)]),
  )
}

/** A half of a pair of surrogates cannot be encoded. */
const encodedText = (text: string): string =>
  encodeURIComponent(/^\.*$/.test(text) ? '' : Buffer.from(text).toString())
