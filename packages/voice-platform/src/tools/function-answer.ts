import { z } from 'zod'
import { boundedJson } from '../work/bounded-json.js'
import type { ToolOutcome } from './call-tool.js'
import type { Answer } from './guarded-request.js'

const answerBody = z.object({
  results: z
    .array(
      z.object({
        toolCallId: z.string().optional(),
        result: z.unknown().optional(),
        error: z.unknown().optional(),
      }),
    )
    .max(100)
    .optional(),
  error: z.unknown().optional(),
})

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What a server answers to `tool-calls`, for one of them: `{"results": [{"toolCallId": "…", "result": "…"}]}`. */
export function functionOutcome(answer: Answer, toolCallId: string): ToolOutcome {
  if ('error' in answer) return answer
  if (answer.status < 200 || answer.status >= 300)
    return { error: `The server of the tool answered ${answer.status}.` }
  // A result may be a long list; its length in characters is bounded.
  const body = answerBody.safeParse(boundedJson(answer.text, Number.POSITIVE_INFINITY)).data
  if (!body) return { error: 'The answer of the tool’s server is not what a tool answers.' }
  const mine = body.results?.find((one) => one.toolCallId === toolCallId)
  const failure = mine?.error ?? (mine ? undefined : body.error)
  if (failure !== undefined && failure !== null) return { error: words(failure) }
  if (mine?.result === undefined) return { error: 'The server of the tool gave no result for this call.' }
  return { result: words(mine.result) }
}
