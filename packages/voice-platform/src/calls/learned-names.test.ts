import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { learnedNames } from './learned-names.js'

const plan = (properties: object, aliases: object[] = []) => ({
  variableExtractionPlan: { schema: { type: 'object', properties }, aliases },
})

/** Assistants and tools that are stored, by their ids. */
const stored = (assistants: Record<string, unknown>, tools: Record<string, unknown> = {}) => {
  const asked: string[] = []
  return {
    asked,
    async find(id: string) {
      asked.push(id)
      return assistants[id] as never
    },
    storedTools: {
      whole: async (ids: readonly string[]) => ids.flatMap((id) => (tools[id] ?? []) as never),
    },
  }
}
const handoff = (assistantId: string) => ({
  type: 'handoff',
  destinations: [{ type: 'assistant', assistantId }],
})

describe('the names that are learned', () => {
  it('are those of properties, of targets and of aliases', async () => {
    const order = { type: 'object', properties: { id: { type: 'string', target: 'orderId' }, of: {} } }
    const tools = [{ type: 'function', ...plan({ order, name: { target: 'who' } }, [{ key: 'line' }]) }]
    expect(await learnedNames(tools, stored({}))).toEqual(
      new Set(['order', 'orderId', 'name', 'who', 'line']),
    )
  })

  it('are those of all who may take over, of their stored tools, and of the handoffs', async () => {
    const [bella, carl, tool] = [randomUUID(), randomUUID(), randomUUID()]
    const sources = stored(
      {
        [bella]: { model: { toolIds: [tool], tools: [handoff(carl), handoff(bella)] } },
        [carl]: { model: { tools: [{ type: 'apiRequest', ...plan({ third: {} }) }, handoff(bella)] } },
      },
      { [tool]: plan({ second: {} }) },
    )
    const tools = [
      { type: 'handoff', destinations: [{ assistantId: bella.toUpperCase(), ...plan({ first: {} }) }] },
    ]
    expect(await learnedNames(tools, sources)).toEqual(new Set(['first', 'second', 'third']))
    expect(sources.asked).toEqual([bella, carl])
  })

  it('are not known where fifty-one may take over', async () => {
    const ids = Array.from({ length: 51 }, () => randomUUID())
    expect(await learnedNames(ids.slice(1).map(handoff), stored({}))).toEqual(new Set())
    expect(await learnedNames(ids.map(handoff), stored({}))).toBeUndefined()
  })
})
