import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import type { Resolve } from '@heyline/kit/guarded-lookup'
import type { ServerMessage, ToolCalls } from '@heyline/platform-client'
import { z } from 'zod'
import { apiRequestTool, functionTool, toolMessagesOf } from '../assistants/http-tool-schema.js'
import type { StoredServers } from '../assistants/stored-servers.js'
import { templateFiller, type Variables } from '../assistants/template.js'
import { aliasedVariables, variableAliases } from '../assistants/variable-aliases.js'
import { wireToolCall } from '../engines/wire-message.js'
import type { CallTool } from '../tools/call-tool.js'
import { functionOutcome } from '../tools/function-answer.js'
import { type Answer, guardedRequest } from '../tools/guarded-request.js'
import { answerVariables } from './answer-variables.js'
import { apiRequest } from './api-request.js'
import type { CallRow } from './call-row.js'
import { chatMessageBody, messageBody, type WritingRow } from './message-body.js'
import { type MessageServer, ownServer } from './message-server.js'
import { messageHeaders } from './message-signature.js'
import { shown } from './without-secrets.js'

const TIMEOUT_SECONDS = 20
/** Most characters of what a tool's message says. */
const MOST_SAID = 1_000
/** Most uses of tools in a browser call, which anybody starts, and in another one. */
const MOST_IN_WEB_CALL = 50
const MOST_IN_PHONE_CALL = 200

/** How often a call may use its tools, whoever speaks in it. */
export const mostToolCallsOf = ({ type }: CallRow): number =>
  type === 'webCall' ? MOST_IN_WEB_CALL : MOST_IN_PHONE_CALL

const planned = z.looseObject({
  variableExtractionPlan: z.looseObject({
    schema: z.looseObject({}).optional(),
    aliases: variableAliases.optional(),
  }),
})

/** The values of a conversation's placeholders. What it learns becomes part of both. */
export interface ConversationVariables {
  /** Of what is said. */
  texts: Variables
  /** Of what tools send, and of aliases: a page's values count for less there. */
  tools: Variables
}

export interface ToolMaking {
  row: CallRow | WritingRow
  /** Of what the tool sends. */
  variables: Variables
  text(template: string): string
  /** Variables of the call from now on. */
  learn(values: Record<string, unknown>): void
}

/** Makes a tool of one type for a call. Undefined where its settings are none of that type. */
export type ToolMaker = (settings: unknown, making: ToolMaking) => CallTool | undefined

export interface CallToolsOptions {
  /** Tools may be on private networks and this machine (`TOOLS_ALLOW_PRIVATE`). */
  allowPrivate: boolean
  /** For tools and assistants that name no server. It is the operator's own, wherever it is. */
  server?: MessageServer | undefined
  /** Opens the secrets of a number's server, which the assistant of a call to that number may have. */
  servers?: StoredServers
  /** Further types of tools, by their name. */
  makers?: Readonly<Record<string, ToolMaker>>
  resolve?: Resolve
  clock: Clock
}

/** The tools of calls that answer with words: `function`, `apiRequest`, and what else there is a maker for. */
export class CallTools {
  readonly #options: CallToolsOptions
  readonly #makers: ReadonlyMap<string, ToolMaker>

  constructor(options: CallToolsOptions) {
    this.#options = options
    this.#makers = new Map(
      Object.entries({
        function: (settings: unknown, making: ToolMaking) => this.#function(settings, making),
        apiRequest: (settings: unknown, making: ToolMaking) => this.#apiRequest(settings, making),
        ...options.makers,
      }),
    )
  }

  /** The tools of a call by the settings of its tools. What is not served is left out. */
  of(
    row: CallRow | WritingRow,
    { texts, tools: variables }: ConversationVariables,
    settings: readonly { type: string }[],
    learn: ToolMaking['learn'] = () => {},
  ): { tools: CallTool[] } {
    const fill = templateFiller(texts)
    const making = { row, variables, learn, text: (template: string) => fill(template, MOST_SAID) }
    return {
      tools: settings.flatMap((tool) => {
        const made = this.#makers.get(tool.type)?.(tool, making)
        return made ? learning(made, tool, making) : []
      }),
    }
  }

  /**
   * Sends a message to the server of a tool, or else the assistant's, or else the installation's, and waits for the answer. Undefined where
   * there is none of them. Never rejects.
   */
  async askServer(
    row: CallRow | WritingRow,
    given: GivenServer,
    message: ServerMessage,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { clock, resolve, allowPrivate, server: ofInstallation, servers } = this.#options
    const own = serverOf(given) ?? ownServer(row.assistant, servers)
    const server = own ?? ofInstallation
    if (!server) return undefined
    const now = clock.now()
    const body =
      'chat' in row ? chatMessageBody(row, message, now) : messageBody(row, message, { timestamp: now })
    const signed = { id: `msg_${randomUUID()}`, timestamp: Math.floor(now / 1000), body }
    return await guardedRequest(
      {
        ...{ method: 'POST', url: server.url, body },
        headers: Object.fromEntries(messageHeaders(server, signed)),
        timeoutSeconds: server.timeoutSeconds ?? TIMEOUT_SECONDS,
      },
      { allowPrivate: !own || allowPrivate, clock, signal, ...(resolve && { resolve }) },
    )
  }

  /** The same for one call or chat. */
  asker(row: CallRow | WritingRow) {
    return (server: GivenServer, message: ServerMessage, signal: AbortSignal) =>
      this.askServer(row, server, message, signal)
  }

  #function(settings: unknown, { row, text }: ToolMaking): CallTool | undefined {
    const tool = functionTool.safeParse(settings).data
    if (!tool) return undefined
    const { name, description = '', parameters = { type: 'object', properties: {} } } = tool.function
    return {
      model: { name, description, parameters },
      messages: toolMessagesOf(tool.messages, text),
      isAsync: tool.async ?? false,
      run: async (given, { signal, toolCallId }) => {
        const toolCall = wireToolCall({ id: toolCallId, name, arguments: given })
        const message = {
          type: 'tool-calls',
          toolCallList: [toolCall],
          toolWithToolCallList: [{ ...shown(tool), toolCall }],
        } as ToolCalls
        const answer = await this.askServer(row, tool.server, message, signal)
        if (!answer) return { error: 'Neither the tool nor the assistant has a server.' }
        return functionOutcome(answer, toolCallId)
      },
    }
  }

  #apiRequest(settings: unknown, { variables, text }: ToolMaking): CallTool | undefined {
    const tool = apiRequestTool.safeParse(settings).data
    if (!tool) return undefined
    const { allowPrivate, clock, resolve } = this.#options
    return {
      ...apiRequest(tool, { allowPrivate, variables, clock, ...(resolve && { resolve }) }),
      messages: toolMessagesOf(tool.messages, text),
    }
  }
}

type GivenServer = z.output<typeof functionTool>['server']

/** The same tool. What its plan reads from an answer becomes variables. */
function learning(tool: CallTool, settings: unknown, { variables, learn }: ToolMaking): CallTool {
  const plan = planned.safeParse(settings).data?.variableExtractionPlan
  if (!plan) return tool
  const { schema = {}, aliases = [] } = plan
  return {
    ...tool,
    run: async (given, run) => {
      const outcome = await tool.run(given, run)
      if (!('result' in outcome)) return outcome
      const found = answerVariables(schema, outcome.result)
      const { values, now } = variables
      learn({ ...found, ...aliasedVariables(aliases, { values: { ...values, ...found }, now }) })
      return outcome
    },
  }
}

function serverOf(given: GivenServer): MessageServer | undefined {
  if (!given?.url) return undefined
  const { url, timeoutSeconds, headers, secret } = given
  return {
    url,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(headers && { headers }),
    ...(secret !== undefined && { secret }),
  }
}
