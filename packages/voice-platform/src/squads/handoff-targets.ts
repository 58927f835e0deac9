import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { assistantOverrides, inlineAssistant } from '../assistants/assistant-schema.js'
import {
  assistantDestination,
  type GivenAssistantDestination,
  type GivenHandoffDestination,
  type GivenHandoffTool,
  type GivenReading,
  handoffDestination,
  handoffTool,
} from '../assistants/handoff-schema.js'
import { toolMessagesOf } from '../assistants/http-tool-schema.js'
import { withOverrides } from '../assistants/session-assistant.js'
import type { ModelMessage } from '../engines/engine.js'
import type { HandoffTarget, KeptHistory, NextSpeaker, SessionTool } from '../session/session-assistant.js'
import { ANNOUNCEMENT } from '../session/transfer.js'
import { firstFitting } from '../tools/tool-messages.js'
import type { FindAssistant, Member } from './members.js'

const HISTORIES: Readonly<Record<string, KeptHistory>> = {
  'rolling-history': 'rolling',
  'swap-system-message-in-history': 'all',
  'swap-system-message-in-history-and-remove-transfer-tool-messages': 'all',
  'delete-history': 'none',
}

const transferTool = z.looseObject({
  type: z.literal('transferCall'),
  function: z.looseObject({ name: z.string().optional() }).optional(),
  destinations: z.array(z.unknown()).optional(),
})

export interface HandoffTargetsOptions {
  /** Of the call's squad. */
  members: readonly Member[]
  find: FindAssistant
  /** Makes one ready to speak. `read`: what was read from the conversation for it. */
  make(member: Member, read: Record<string, unknown>): Promise<NextSpeaker>
  /** Reads variables from what was said. Never rejects. */
  read(
    plan: GivenReading,
    said: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>
  /** Asks the developer's server to whom a call is handed; undefined where it names nobody. */
  ask(
    tool: GivenHandoffTool,
    given: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<GivenHandoffDestination | undefined>
  /** Fills in what is said. */
  text(template: string): string
}

/** Whom the assistants of a call may hand it to. Only what a tool lists is reached, whoever names it. */
export class HandoffTargets {
  readonly #options: HandoffTargetsOptions

  constructor(options: HandoffTargetsOptions) {
    this.#options = options
  }

  /** The tools that hand over, by the settings of an assistant's tools. Destinations that do not exist are left out. */
  async toolsOf(settings: readonly unknown[]): Promise<SessionTool[]> {
    const tools: SessionTool[] = []
    for (const given of settings) {
      const handoff = handoffTool.safeParse(given).data
      const tool = handoff ? await this.#handoff(handoff) : this.#transfer(given)
      if (tool) tools.push(tool)
    }
    return tools
  }

  /** One that a server or an operator names. */
  async named(destination: GivenHandoffDestination): Promise<HandoffTarget | undefined> {
    const member = await this.#memberOf(destination)
    return member && this.#handoffTarget(destination, member)
  }

  async #handoff(tool: GivenHandoffTool): Promise<SessionTool | undefined> {
    const { name = 'handoff', description, parameters } = tool.function ?? {}
    const known = { type: 'handoff', name, ...(description !== undefined && { description }) } as const
    if (!tool.destinations?.length)
      return {
        ...known,
        destinations: [],
        ask: (given) => this.#asked(tool, given),
        ...(parameters && { parameters }),
      }
    const served = tool.destinations.flatMap((given) => handoffDestination.safeParse(given).data ?? [])
    const targets = await Promise.all(served.map((destination) => this.named(destination)))
    const destinations = targets.flatMap((target) =>
      target ? { ...target, ...this.#announcementOf(tool, { destination: target.name }) } : [],
    )
    return destinations.length > 0 ? { ...known, destinations } : undefined
  }

  /** What the tool's `request-start` says. */
  #announcementOf({ messages }: GivenHandoffTool, given: Record<string, unknown>): { message?: string } {
    const { start } = toolMessagesOf(messages, (template) => this.#options.text(template))
    const content = firstFitting(start, given)?.content
    return content ? { message: content } : {}
  }

  /** Destinations of other types are the call's own to make. */
  #transfer(given: unknown): SessionTool | undefined {
    const tool = transferTool.safeParse(given).data
    const assistants = (tool?.destinations ?? []).flatMap((destination) => {
      const found = assistantDestination.safeParse(destination).data
      const member = found && this.#options.members.find(({ name }) => name === found.assistantName)
      return member ? [this.#transferTarget(found, member)] : []
    })
    if (assistants.length === 0) return undefined
    return {
      type: 'transferCall',
      name: tool?.function?.name ?? 'transferCall',
      destinations: [],
      assistants,
    }
  }

  #transferTarget(
    { message = ANNOUNCEMENT, description, transferMode = 'rolling-history' }: GivenAssistantDestination,
    member: Member,
  ): HandoffTarget {
    const said = typeof message === 'object' ? (message.content ?? '') : message
    return {
      name: member.name,
      ...(description !== undefined && { description }),
      message: this.#options.text(said),
      history: HISTORIES[transferMode] ?? 'rolling',
      open: async () => ({ type: 'speaker', speaker: await this.#options.make(member, {}) }),
    }
  }

  #handoffTarget(destination: GivenHandoffDestination, member: Member): HandoffTarget {
    const { description, contextEngineeringPlan: plan, variableExtractionPlan: reading } = destination
    return {
      name: member.name,
      ...(description !== undefined && { description }),
      history: historyOf(plan),
      open: async (said, signal) => {
        const { make, read } = this.#options
        const values = reading ? await read(reading, said, signal) : {}
        return { type: 'speaker', speaker: await make(member, values) }
      },
    }
  }

  #asked(tool: GivenHandoffTool, given: Record<string, unknown>): HandoffTarget {
    return {
      name: 'another assistant',
      ...this.#announcementOf(tool, given),
      history: 'all',
      open: async (said, signal) => {
        const destination = await this.#options.ask(tool, given, signal)
        const target = destination && (await this.named(destination))
        if (!target) return { type: 'refused', why: 'the server named nobody who exists' }
        const opened = await target.open(said, signal)
        return opened.type === 'speaker' ? { ...opened, history: target.history } : opened
      },
    }
  }

  async #memberOf({
    assistantName,
    assistantId,
    assistant,
    assistantOverrides: overrides,
  }: GivenHandoffDestination): Promise<Member | undefined> {
    const { members, find } = this.#options
    const set = assistantOverrides.safeParse(overrides ?? {}).data
    if (!set) return undefined
    const known = members.find(({ id, name }) =>
      assistantId === undefined ? name === assistantName : id === assistantId,
    )
    if (known) return overridden(known, set)
    const whole = assistant ? inlineAssistant.safeParse(assistant).data : await foundBy(assistantId, find)
    if (!whole) return undefined
    const name = assistantName ?? whole.name ?? assistantId ?? 'the next assistant'
    const own = { name, ...(assistantId !== undefined && { id: assistantId }), assistant: whole }
    return overridden({ ...own, ways: [], values: {} }, set)
  }
}

const foundBy = async (id: string | undefined, find: FindAssistant): Promise<CreateAssistant | undefined> =>
  id === undefined ? undefined : await find(id)

const overridden = (member: Member, overrides: AssistantOverrides): Member => ({
  ...member,
  assistant: withOverrides(member.assistant, overrides),
  values: { ...member.values, ...overrides.variableValues },
})

function historyOf(plan: GivenHandoffDestination['contextEngineeringPlan']): KeptHistory {
  if (plan?.type === 'lastNMessages') return plan.maxMessages === 0 ? 'none' : { last: plan.maxMessages }
  if (plan?.type === 'userAndAssistantMessages') return 'words'
  return plan?.type ?? 'all'
}
