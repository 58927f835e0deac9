import type { Logger } from 'pino'
import type { ToolCall } from '../engines/engine.js'
import type { CallTool, ToolOutcome } from '../tools/call-tool.js'
import type { EndMessage } from '../tools/tool-messages.js'
import { endMessage, FAILED, NOT_WAITED_FOR, resultText } from '../tools/used-tool.js'
import { abortable } from '../work/abortable.js'

/** What became of one use of a tool in writing. */
export interface WrittenUse {
  /** What the model reads of it. */
  result: string
  /** What the tool has to say at its end. */
  end?: EndMessage | undefined
  /** Its result is worth another reply. */
  isAwaited: boolean
}

/** Uses a tool. A failure is a result, too. Rejects with the signal's reason. */
export async function writtenUse(
  call: ToolCall,
  tool: CallTool,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<WrittenUse> {
  const ran = tool
    .run(call.arguments, { signal, toolCallId: call.id })
    .catch((error: unknown): ToolOutcome => {
      if (!signal.aborted) logger.warn({ err: error, tool: call.name }, 'a tool failed')
      return FAILED
    })
  const outcome = tool.isAsync ? NOT_WAITED_FOR : await abortable(ran, signal)
  return {
    result: resultText(outcome),
    end: endMessage({ call, tool, outcome }),
    isAwaited: !tool.isAsync,
  }
}

/** A use of a tool that there is not, or that is not done. */
export const notUsed = (result: string): WrittenUse => ({ result, isAwaited: true })

export const NO_SUCH_TOOL: WrittenUse = notUsed('There is no such tool.')
