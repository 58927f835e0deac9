import type { HandoffDestinationRequest } from '@heyline/platform-client'
import { z } from 'zod'
import {
  type GivenHandoffDestination,
  type GivenHandoffTool,
  handoffDestination,
} from '../assistants/handoff-schema.js'
import { messageServer } from '../assistants/server-schema.js'
import { boundedJson } from '../work/bounded-json.js'
import type { CallRow } from './call-row.js'
import type { CallTools } from './call-tools.js'

const answer = z.looseObject({ destination: handoffDestination })
const served = z.looseObject({ server: messageServer.optional() })

/** Asks the developer's server to whom a call is handed, where the assistant's tool leaves that open. */
export class HandoffServer {
  readonly #call: CallRow
  readonly #tools: CallTools

  constructor(call: CallRow, tools: CallTools) {
    this.#call = call
    this.#tools = tools
  }

  /** Undefined where there is no server, or it names nobody. Never rejects. */
  async ask(
    tool: GivenHandoffTool,
    parameters: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<GivenHandoffDestination | undefined> {
    const message: HandoffDestinationRequest = { type: 'handoff-destination-request', parameters }
    const { server } = served.safeParse(tool).data ?? {}
    const answered = await this.#tools.askServer(this.#call, server, message, signal)
    if (!answered || 'error' in answered || answered.status < 200 || answered.status > 299) return undefined
    return answer.safeParse(boundedJson(answered.text)).data?.destination
  }
}
