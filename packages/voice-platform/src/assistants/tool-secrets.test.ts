import { describe, expect, it } from 'vitest'
import { ToolSecrets, withoutToolSecrets } from './tool-secrets.js'

const secrets = new ToolSecrets(new Uint8Array(32).fill(7))
const functionTool = (server: object = { secret: 'hush', headers: { 'x-key': '1' } }, name = 'look_up') => ({
  type: 'function' as const,
  function: { name },
  server: { url: 'https://tools.example/a', ...server },
})
const assistantWith = (...tools: object[]) => ({ name: 'Ava', model: { provider: 'openai', tools } })
const openedOf = (settings: ReturnType<typeof assistantWith>) => secrets.opened(settings.model.tools)

describe('a tool in an assistant', () => {
  it('has its secrets sealed where it is stored, open in a call, and nowhere else', () => {
    const given = assistantWith(functionTool(), { type: 'endCall' })
    const stored = secrets.sealed(given)
    expect(JSON.stringify(stored)).not.toContain('hush')
    expect(JSON.stringify(stored)).not.toContain('x-key')
    expect(openedOf(stored)).toEqual(given.model.tools)
    expect(withoutToolSecrets(stored)).toEqual(assistantWith(functionTool({}), { type: 'endCall' }))
  })

  it('has the headers of an API request sealed, too', () => {
    const given = assistantWith({
      type: 'apiRequest',
      url: 'https://api.example',
      headers: { type: 'object', properties: { authorization: { value: 'Bearer hush' } } },
    })
    const stored = secrets.sealed(given)
    expect(JSON.stringify(stored)).not.toContain('hush')
    expect(openedOf(stored)).toEqual(given.model.tools)
  })

  it('keeps its secrets when it comes back without them, to the same place', () => {
    const stored = secrets.sealed(assistantWith(functionTool()))
    const changed = { ...functionTool({}), async: true }
    expect(openedOf(secrets.sealed(assistantWith(changed), stored))).toEqual([
      { ...functionTool(), async: true },
    ])
    const renewed = secrets.sealed(assistantWith(functionTool({ secret: 'new' })), stored)
    expect(openedOf(renewed)).toEqual([functionTool({ secret: 'new', headers: { 'x-key': '1' } })])
  })

  it.each([
    ['another address', functionTool({ url: 'https://elsewhere.example' })],
    ['another name', functionTool({}, 'other')],
  ])('gives them to no tool of %s', (_, tool) => {
    const stored = secrets.sealed(assistantWith(functionTool()))
    expect(openedOf(secrets.sealed(assistantWith(tool), stored))).toEqual([tool])
  })

  it('keeps those that lay open from before there was a seal', () => {
    const old = assistantWith(functionTool())
    expect(openedOf(old)).toEqual([functionTool()])
    expect(openedOf(secrets.sealed(assistantWith(functionTool({})), old))).toEqual([functionTool()])
    expect(withoutToolSecrets(old)).toEqual(assistantWith(functionTool({})))
  })

  it('is none in what is the developer’s own', () => {
    const given = { metadata: { tools: [functionTool()] }, variableValues: { tool: functionTool() } }
    expect(withoutToolSecrets(secrets.sealed(given))).toEqual(given)
  })

  it('lists what it asks for and sends under any names', () => {
    const schema = { type: 'object', properties: { tool: { type: 'object', server: { secret: 'a word' } } } }
    const tool = {
      ...functionTool({}),
      function: { name: 'look_up', parameters: schema },
      body: schema,
    }
    expect(secrets.sealed(assistantWith(tool))).toEqual(assistantWith(tool))
    expect(withoutToolSecrets(assistantWith(tool))).toEqual(assistantWith(tool))
  })

  it('takes no sealed text from whoever sends one', () => {
    const { sealedSecrets } = Object(secrets.sealed(assistantWith(functionTool())).model.tools[0])
    const forged = assistantWith({ ...functionTool({ url: 'https://thief.example' }), sealedSecrets })
    expect(openedOf(secrets.sealed(forged))).toEqual([functionTool({ url: 'https://thief.example' })])
  })
})

describe('a tool inside one that hands over', () => {
  const handoff = (...destinations: object[]) => ({ type: 'handoff', destinations })
  const to = (...tools: object[]) => ({ type: 'assistant', assistant: assistantWith(...tools) })
  const bare = functionTool({})
  const appended = { 'tools:append': [functionTool()] }

  it.each([
    ['an assistant', assistantWith(handoff(to(functionTool()))), assistantWith(handoff(to(bare)))],
    [
      'overrides',
      assistantWith(handoff({ type: 'assistant', assistantOverrides: appended })),
      assistantWith(handoff({ type: 'assistant', assistantOverrides: { 'tools:append': [bare] } })),
    ],
    [
      'a squad',
      assistantWith(handoff({ type: 'squad', squad: { members: [to(functionTool())] } })),
      assistantWith(handoff({ type: 'squad', squad: { members: [to(bare)] } })),
    ],
    [
      'an assistant that hands over, too',
      assistantWith(handoff(to(handoff(to(functionTool()))))),
      assistantWith(handoff(to(handoff(to(bare))))),
    ],
    [
      'what a hook does',
      { hooks: [{ do: [{ type: 'tool', tool: handoff(to(functionTool())) }] }] },
      { hooks: [{ do: [{ type: 'tool', tool: handoff(to(bare)) }] }] },
    ],
    ['a stored tool', handoff(to(functionTool())), handoff(to(bare))],
  ])('by %s has its secrets sealed, and shown to nobody', (_, given, shown) => {
    const stored = secrets.sealed(given)
    expect(JSON.stringify(stored)).not.toContain('hush')
    expect(JSON.stringify(stored)).toContain('sealedSecrets')
    expect(withoutToolSecrets(stored)).toEqual(shown)
    // As it was stored before.
    expect(withoutToolSecrets<unknown>(given)).toEqual(shown)
  })

  it('keeps its own secrets, and not those of another at the same address', () => {
    const [own, other] = [functionTool({ secret: 'own' }), functionTool({ secret: 'other' })]
    const stored = secrets.sealed(assistantWith(own, handoff(to(other))))
    const kept = secrets.sealed(assistantWith(bare, handoff(to(bare))), stored)
    const [first, hands] = openedOf(kept)
    expect(first).toEqual(own)
    expect(secrets.opened(Object(hands).destinations[0].assistant.model.tools)).toEqual([other])
  })
})
