import { Seal } from '@heyline/kit/seal'
import { z } from 'zod'
import { mergedSecrets, withoutSecretParts, withSecretParts } from '../resources/secret-parts.js'
import { valueAt } from '../resources/value-at.js'
import { TOOL_FAMILY } from './tool-schema.js'

type Tool = Record<string, unknown>

/** Holds the secrets of a tool that is stored in an assistant. No answer and no message has it. */
export const SEALED = 'sealedSecrets'
/** What the sealed text is bound to. It moves with the assistant, to its versions and calls. */
const PLACE = 'tool of an assistant'

const toolOf = z.record(z.string(), z.unknown())
const secretsOf = z.record(z.string(), z.record(z.string(), z.unknown()))

/** The secrets of tools that lie in an assistant: sealed where it is stored, open in a call alone. */
export class ToolSecrets {
  readonly #seal: Seal | undefined

  /** @param key 32 bytes. Without one nothing is sealed. */
  constructor(key?: Uint8Array) {
    this.#seal = key && new Seal(key)
  }

  /** Tools with their secrets, for use in a call. */
  opened(tools: readonly unknown[]): Tool[] {
    return tools
      .flatMap(asTool)
      .map((tool) => (tool[SEALED] === undefined ? tool : withSecretParts(open(tool), this.#secretsOf(tool))))
  }

  /**
   * Whatever holds tools, as it is stored: an assistant, overrides, a squad with its members, a workflow with its nodes. A tool without
   * secrets keeps those that it had `before`, as long as they go to the same place.
   */
  sealed<Value>(value: Value, before?: unknown): Value {
    const known: Tool[] = []
    mapTools(before, (tool) => {
      known.push(...asTool(tool))
      return tool
    })
    return mapTools(value, (tool) => this.#sealedTool(tool, known))
  }

  #sealedTool(given: unknown, known: readonly Tool[]): unknown {
    const tool = toolOf.safeParse(given).data
    if (!tool || !this.#seal) return given
    const { open: settings, secrets } = withoutSecretParts(open(tool), TOOL_FAMILY.secrets)
    const former = known.find((one) => isSame(one, tool))
    const all = mergedSecrets(former ? this.#secretsOf(former) : {}, secrets)
    if (Object.keys(all).length === 0) return settings
    return { ...settings, [SEALED]: this.#seal.seal(JSON.stringify(all), PLACE) }
  }

  /** Of one that was stored before there was a seal: those that lie in it. */
  #secretsOf(tool: Tool): Record<string, Tool> {
    const sealed = tool[SEALED]
    if (typeof sealed !== 'string' || !this.#seal)
      return withoutSecretParts(tool, TOOL_FAMILY.secrets).secrets
    return secretsOf.parse(JSON.parse(this.#seal.open(sealed, PLACE)))
  }
}

/** Whatever holds tools, as answers show it: without the secrets of its tools. */
export const withoutToolSecrets = <Value>(value: Value): Value => mapTools(value, withoutSecretsOfTool)

const withoutSecretsOfTool = (given: unknown): unknown => {
  const tool = toolOf.safeParse(given).data
  return tool ? withoutSecretParts(open(tool), TOOL_FAMILY.secrets).open : given
}

/** What is the developer's own, whatever its names say. */
const OPAQUE = new Set(['metadata', 'variableValues'])

/** A value from JSON with other tools: those in lists named `tools`, and those named `tool`. */
function mapTools<Value>(value: Value, map: (tool: unknown) => unknown): Value {
  const inner = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(inner)
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, held]) => {
        if (OPAQUE.has(name)) return [name, held]
        if (name === 'tools' && Array.isArray(held)) return [name, held.map(map)]
        return [name, name === 'tool' ? map(held) : inner(held)]
      }),
    )
  }
  return inner(value) as Value
}

/** None where it is no tool at all. */
const asTool = (given: unknown): Tool[] => {
  const tool = toolOf.safeParse(given).data
  return tool ? [tool] : []
}

const open = ({ [SEALED]: _, ...tool }: Tool): Tool => tool

/** The same tool as before, whose secrets go to the same place. */
const isSame = (before: Tool, after: Tool): boolean =>
  ['type', 'name', 'function.name', ...TOOL_FAMILY.destinations].every(
    (path) => valueAt(before, path) === valueAt(after, path),
  )
