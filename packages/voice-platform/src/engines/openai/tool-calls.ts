import { z } from 'zod'
import type { ModelTool, ToolCall } from '../engine.js'

/** Most tools that one reply may use, and most characters of what it asks of one. */
const MOST_CALLS = 10
const MOST_CHARACTERS = 4_000

/** The tool calls of an answer, or pieces of them: a stream names the place of each (`index`). */
export const toolCallPieces = z
  .array(
    z.object({
      index: z.number().int().min(0).optional(),
      function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
    }),
  )
  .nullish()

/** A tool as OpenAI's wire has it. */
export const toolOnTheWire = ({ name, description, parameters }: ModelTool) => ({
  type: 'function',
  function: { name, description, parameters },
})

/** Puts the tool calls of one answer together. */
export class ToolCalls {
  readonly #calls = new Map<number, { name: string; json: string }>()

  add(pieces: z.output<typeof toolCallPieces>): void {
    for (const [place, { index = place, function: part }] of (pieces ?? []).entries()) {
      if (index >= MOST_CALLS) continue
      const call = this.#calls.get(index) ?? { name: '', json: '' }
      call.name = (call.name + (part?.name ?? '')).slice(0, MOST_CHARACTERS)
      call.json = (call.json + (part?.arguments ?? '')).slice(0, MOST_CHARACTERS)
      this.#calls.set(index, call)
    }
  }

  get any(): boolean {
    return this.#calls.size > 0
  }

  finished(): ToolCall[] {
    return [...this.#calls.values()].map(({ name, json }) => ({ name, arguments: argumentsOf(json) }))
  }
}

/** No arguments where they are no JSON object. */
function argumentsOf(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(json))
  } catch {
    return {}
  }
}
