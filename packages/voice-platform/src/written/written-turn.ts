import { storable } from '@heyline/kit/storable'
import type { Model, ModelMessage, ModelTool, ToolCall } from '../engines/engine.js'
import { boundedReply } from '../session/bounded-reply.js'
import { DEFAULT_MAX_TOKENS, type SessionAssistant } from '../session/session-assistant.js'
import { MOST_AT_ONCE, MOST_ROUNDS } from '../tools/used-tool.js'
import { untilAborted } from '../work/abortable.js'
import type { WrittenUse } from './written-use.js'

export interface WrittenTurnOptions {
  assistant: Pick<SessionAssistant, 'maxTokens' | 'model' | 'temperature'>
  model: Model
  /** What its model may use. */
  offered: readonly ModelTool[]
  /** Uses one of them, or says that there is none of that name. Rejects once the signal aborts. */
  use(call: ToolCall): Promise<WrittenUse>
  /** Uses that are left; the turn counts its own. */
  uses: { left: number }
  /** What the model reads of further uses. They are left out where this is. */
  tooOften?: WrittenUse
  /** What the model reads now: the prompt, what was said before, and all that the turn has yielded. */
  read(): readonly ModelMessage[]
  /** The model has written something, or used a tool. */
  onWritten?: () => void
  /** Ends the turn at once. */
  signal: AbortSignal
}

/** What happens in a turn, in its order. Whoever reads it keeps it, so that the model reads it with its next request. */
export type WrittenStep =
  /** The model has written this much more. */
  | { type: 'piece'; text: string }
  /** It has ended: all that it has written at once, which may be nothing, and the tools it uses. */
  | { type: 'reply'; text: string; calls: readonly ToolCall[]; isFirst: boolean }
  | { type: 'result'; call: ToolCall; text: string }
  /** A tool says this instead of the model. */
  | { type: 'said'; text: string }
  /** A tool says this to the model. */
  | { type: 'hint'; text: string }

/**
 * One turn of an assistant that writes. Its model is asked again after tools, as in a call, and at last without them. Returns whether the
 * conversation is over by a tool. Rejects with the engine's error, or the signal's reason.
 */
export async function* writtenTurn(
  options: WrittenTurnOptions,
): AsyncGenerator<WrittenStep, { isOver: boolean }> {
  const { uses, tooOften } = options
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const offered = round < MOST_ROUNDS && uses.left > 0 ? options.offered : []
    const { text, asked } = yield* reply(options, offered)
    const wanted = offered.length > 0 ? asked.slice(0, MOST_AT_ONCE) : []
    const calls = tooOften ? wanted : wanted.slice(0, uses.left)
    yield { type: 'reply', text, calls, isFirst: round === 0 }
    if (calls.length === 0) break
    const { left } = uses
    uses.left -= Math.min(left, calls.length)
    const used = await Promise.all(
      calls.map(async (call, place) => ({
        call,
        ...(tooOften && place >= left ? tooOften : await options.use(call)),
      })),
    )
    for (const { call, result } of used) yield { type: 'result', call, text: result }
    const ends = used.flatMap(({ end }) => end ?? [])
    for (const end of ends) if (end.isHint) yield { type: 'hint', text: end.content }
    const said = ends.filter((end) => !end.isHint && end.content !== '')
    for (const { content } of said) yield { type: 'said', text: content }
    if (ends.some((end) => end.endsCall && !end.isHint)) return { isOver: true }
    if (said.length === calls.length || (text && used.every(({ isAwaited }) => !isAwaited))) break
  }
  return { isOver: false }
}

async function* reply(
  { assistant, model, read, onWritten, signal }: WrittenTurnOptions,
  offered: readonly ModelTool[],
): AsyncGenerator<WrittenStep, { text: string; asked: readonly ToolCall[] }> {
  const { maxTokens = DEFAULT_MAX_TOKENS, model: named, temperature } = assistant
  const asked: ToolCall[] = []
  const pieces = model.reply(read(), {
    ...{ signal, maxTokens },
    ...(offered.length > 0 && { tools: offered }),
    ...(named !== undefined && { model: named }),
    ...(temperature !== undefined && { temperature }),
    onToolCall(call) {
      onWritten?.()
      asked.push(call)
    },
  })
  let text = ''
  for await (const piece of untilAborted(boundedReply(pieces, maxTokens), signal)) {
    onWritten?.()
    if (piece === '') continue
    text += piece
    yield { type: 'piece', text: piece }
  }
  return { text: storable(text), asked }
}
