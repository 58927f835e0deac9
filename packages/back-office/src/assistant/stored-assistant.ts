import type { Assistant, PlatformClient, UpdateAssistant } from '@heyline/platform-client'
import type { z } from 'zod'
import type { assistantOperations } from '../operations/assistant-operations.js'
import type { TakenBy } from '../operations/operation.js'
import { atPlatform } from './at-platform.js'
import { type Kept, messagesOf, promptOf, type ShownAssistant, shown } from './shown-assistant.js'

type Operations = typeof assistantOperations
type Changes = TakenBy<Operations['update']>
type Updated = z.output<Operations['update']['answer']['schema']>
type Limits = ShownAssistant['limits']

/**
 * The assistant that speaks in every call, at whichever platform it is stored. A change sends what differs and nothing else, with all that
 * is not known here as it was. Everything rejects with an `OperatorsError`.
 */
export class StoredAssistant {
  readonly #platform: Pick<PlatformClient, 'assistants'>
  readonly #id: string

  constructor(platform: Pick<PlatformClient, 'assistants'>, id: string) {
    this.#platform = platform
    this.#id = id
  }

  async show(): Promise<ShownAssistant> {
    return shown(await this.#get())
  }

  /** `before` has what was there, but for a voice or a model where none was. */
  async update(changes: Changes): Promise<Updated> {
    const stored = await this.#get()
    const old = shown(stored)
    const changed = NAMES.filter((name) => changes[name] !== undefined && !isSame(changes[name], old[name]))
    const before = Object.fromEntries(
      changed.flatMap((name) => (old[name] === null ? [] : [[name, old[name]]])),
    )
    if (changed.length === 0) return { assistant: old, changed, before }
    const wanted = Object.fromEntries(changed.map((name) => [name, changes[name]])) as Changes
    return { assistant: shown(await this.#send(patchOf(stored, wanted))), changed, before }
  }

  async setLimits(limits: Partial<Limits>): Promise<{ limits: Limits; before: Limits }> {
    const before = shown(await this.#get()).limits
    const wanted = { ...before, ...limits }
    if (isSame(wanted, before)) return { limits: before, before }
    return { limits: shown(await this.#send(wanted)).limits, before }
  }

  #get(): Promise<Assistant> {
    return atPlatform(() => this.#platform.assistants.get(this.#id))
  }

  #send(patch: UpdateAssistant): Promise<Assistant> {
    return atPlatform(() => this.#platform.assistants.update(this.#id, patch))
  }
}

const NAMES = ['name', 'firstMessage', 'prompt', 'voice', 'model'] as const

/** `PATCH` replaces a whole model and a whole voice: what is not known here goes along. */
function patchOf(stored: Assistant, { prompt, model, voice, ...texts }: Changes): UpdateAssistant {
  const patch: Kept = { ...texts }
  if (prompt !== undefined || model !== undefined)
    patch.model = modelOf(stored.model as Kept | undefined, model, prompt)
  // Another provider's settings mean nothing to the new one.
  if (voice) patch.voice = voice.provider === stored.voice?.provider ? { ...stored.voice, ...voice } : voice
  return patch as UpdateAssistant
}

function modelOf(
  stored: Kept = { provider: 'openai' },
  wanted: Changes['model'],
  prompt: string | undefined,
): Kept {
  const merged = Object.entries({ ...stored, ...wanted }).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(merged),
    ...(prompt !== undefined && { messages: withPrompt(stored, prompt) }),
  }
}

/** The first system message is the prompt. Others stay where they are. */
function withPrompt(model: Kept, content: string): Kept[] {
  const messages = messagesOf(model)
  const prompt = promptOf(model)
  if (!prompt) return [{ role: 'system', content }, ...messages]
  return messages.map((message) => (message === prompt ? { ...message, content } : message))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
