import { Seal } from '@heyline/kit/seal'
import { z } from 'zod'
import { mergedSecrets, withoutSecretParts, withSecretParts } from '../resources/secret-parts.js'
import { valueAt } from '../resources/value-at.js'
import { TOOL_FAMILY } from './tool-schema.js'

type Tool = Record<string, unknown>
/** A tool that was stored, and its place in what it was stored in. */
type Former = { tool: Tool; at: string }

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
   * secrets keeps those that it had in one of `before`, the first of which counts, as long as they go to the same address.
   */
  sealed<Value>(value: Value, ...before: unknown[]): Value {
    const known: Former[] = []
    for (const former of before)
      mapTools(former, (tool, at) => {
        known.push(...asTool(tool).map((one) => ({ tool: one, at })))
        return tool
      })
    return mapTools(value, (tool, at) => this.#sealedTool(tool, formerOf(known, tool, at)))
  }

  #sealedTool(given: unknown, former: Tool | undefined): unknown {
    const tool = toolOf.safeParse(given).data
    if (!tool || !this.#seal) return given
    const { open: settings, secrets } = withoutSecretParts(open(tool), TOOL_FAMILY.secrets)
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

/** Whether tools lie in it. */
export function holdsTools(value: unknown): boolean {
  let isFound = false
  mapTools(value, (tool) => {
    isFound = true
    return tool
  })
  return isFound
}

/** What is the developer's own, whatever its names say. The last two are what a tool asks the model for, and what it sends. */
const OPAQUE = new Set(['metadata', 'variableValues', 'parameters', 'body'])
const LISTS = new Set(['tools', 'tools:append'])

/**
 * A value from JSON with other tools: those in lists of tools, and those named `tool`, also inside another tool, which may hand over to an
 * assistant with tools of its own. `at` is the place of a tool in the value.
 */
function mapTools<Value>(value: Value, map: (tool: unknown, at: string) => unknown): Value {
  const ofTool = (tool: unknown, at: string) => map(inner(tool, at), at)
  const inner = (given: unknown, at: string): unknown => {
    if (Array.isArray(given)) return given.map((one, index) => inner(one, `${at}.${index}`))
    if (typeof given !== 'object' || given === null) return given
    return Object.fromEntries(
      Object.entries(given).map(([name, held]) => {
        if (OPAQUE.has(name)) return [name, held]
        const here = `${at}.${name}`
        if (LISTS.has(name) && Array.isArray(held))
          return [name, held.map((tool, index) => ofTool(tool, `${here}.${index}`))]
        return [name, name === 'tool' ? ofTool(held, here) : inner(held, here)]
      }),
    )
  }
  return inner(value, '') as Value
}

/** None where it is no tool at all. */
const asTool = (given: unknown): Tool[] => {
  const tool = toolOf.safeParse(given).data
  return tool ? [tool] : []
}

const open = ({ [SEALED]: _, ...tool }: Tool): Tool => tool

/** What a tool was before. Of several that are alike, each has its own place, and another one's secrets only where it is new there. */
function formerOf(known: readonly Former[], given: unknown, at: string): Tool | undefined {
  const [tool] = asTool(given)
  if (!tool) return undefined
  const isIt = (one: Former) => isSame(one.tool, tool)
  return (known.find((one) => one.at === at && isIt(one)) ?? known.find(isIt))?.tool
}

/** The same tool as before, whose secrets go to the same place. */
const isSame = (before: Tool, after: Tool): boolean =>
  ['type', 'name', 'function.name', ...TOOL_FAMILY.destinations].every(
    (path) => valueAt(before, path) === valueAt(after, path),
  )
