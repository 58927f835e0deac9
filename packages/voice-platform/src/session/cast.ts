import type { Engines, ModelTool } from '../engines/engine.js'
import type { CallTool } from '../tools/call-tool.js'
import { endPhrases } from './end-phrases.js'
import type { Activation, NextSpeaker, SessionAssistant } from './session-assistant.js'
import { modelTools } from './session-tool.js'

export interface SpeakerOptions extends Omit<NextSpeaker, 'model' | 'id'> {
  id?: string | undefined
  engines: Engines
}

/** An assistant that speaks in a call, and what works for it. */
export class Speaker {
  readonly id: string | undefined
  readonly node: string | undefined
  readonly assistant: SessionAssistant
  readonly engines: Engines
  readonly tools: ReadonlyMap<string, CallTool>
  /** What its model may use. Of two tools with one name, the first counts. */
  readonly modelTools: readonly ModelTool[]
  readonly isGoodbye: (said: string) => boolean
  readonly #own: ReadonlySet<string>

  constructor({ id, node, assistant, engines, tools = [] }: SpeakerOptions) {
    this.id = id
    this.node = node
    this.assistant = assistant
    this.engines = engines
    this.tools = new Map(tools.toReversed().map((tool) => [tool.model.name, tool]))
    const own = modelTools(assistant.tools ?? [])
    this.#own = new Set(own.map(({ name }) => name))
    this.modelTools = [...own, ...tools.map(({ model }) => model).filter(({ name }) => !this.#own.has(name))]
    this.isGoodbye = endPhrases(assistant.endCallPhrases ?? [])
  }

  /** A tool that answers with words, and not one that acts on the call itself. */
  answersWithWords(name: string): boolean {
    return !this.#own.has(name) && this.tools.has(name)
  }
}

/** Most speakers of a call that its record names. */
const MOST_ACTIVATIONS = 200

/** Who speaks in a call: now, and before. */
export class Cast {
  #now: Speaker
  readonly #been: Activation[]

  constructor(first: Speaker, time: number) {
    this.#now = first
    this.#been = [activationOf(first, time)]
  }

  get now(): Speaker {
    return this.#now
  }

  /** This one takes the place of the one that speaks now. */
  follow(next: Speaker, time: number): void {
    this.#now = next
    if (this.#been.length < MOST_ACTIVATIONS) this.#been.push(activationOf(next, time))
  }

  /** This was read while the one that speaks now spoke. */
  read(values: Readonly<Record<string, unknown>>): void {
    const last = this.#been.at(-1)
    if (last && last.node === this.#now.node && Object.keys(values).length > 0)
      last.variables = { ...last.variables, ...values }
  }

  /** All of them, in order. */
  get activations(): Activation[] {
    return [...this.#been]
  }
}

const activationOf = ({ id, node, assistant: { name = '' } }: Speaker, time: number): Activation => ({
  assistantName: name,
  ...(id !== undefined && { assistantId: id }),
  ...(node !== undefined && { node }),
  time,
})
