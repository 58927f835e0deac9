import { randomUUID } from 'node:crypto'
import { shortJsonExcess } from '@heyline/kit/json-excess'
import { z } from 'zod'
import type { ModelTool, ToolCall } from '../engine.js'

/** Most tools that one reply may use, and most characters of what it asks of one. */
const MOST_CALLS = 10
const MOST_CHARACTERS = 4_000

/** Ids of servers that give none, or give one twice, are replaced. */
const USABLE_ID = /^[\w.:-]{1,100}$/

/** The tool calls of an answer, or pieces of them: a stream names the place of each (`index`). */
export const toolCallPieces = z
  .array(
    z.object({
      index: z.number().int().min(0).optional(),
      id: z.string().nullish(),
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
  readonly #calls = new Map<number, { id: string; name: string; json: string }>()

  add(pieces: z.output<typeof toolCallPieces>): void {
    for (const [place, { index = place, id, function: part }] of (pieces ?? []).entries()) {
      if (index >= MOST_CALLS) continue
      const call = this.#calls.get(index) ?? { id: '', name: '', json: '' }
      call.id ||= id ?? ''
      call.name = (call.name + (part?.name ?? '')).slice(0, MOST_CHARACTERS)
      call.json = (call.json + (part?.arguments ?? '')).slice(0, MOST_CHARACTERS)
      this.#calls.set(index, call)
    }
  }

  get any(): boolean {
    return this.#calls.size > 0
  }

  finished(): ToolCall[] {
    const ids = new Set<string>()
    return [...this.#calls.values()].map(({ id: given, name, json }) => {
      const id = USABLE_ID.test(given) && !ids.has(given) ? given : `call_${randomUUID()}`
      ids.add(id)
      return { id, name, arguments: argumentsOf(json) }
    })
  }
}

/** No arguments where they are no JSON object, or nested too deeply. */
function argumentsOf(json: string): Record<string, unknown> {
  try {
    if (shortJsonExcess(json, {})) return {}
    return z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(json))
  } catch {
    return {}
  }
}
