import { afterAll, beforeAll, expect, it } from 'vitest'
import { AssistantStore } from '../assistants/assistant-store.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { findCallAssistant } from './call-assistant.js'
import { refuseTrustedSettings } from './public-call-request.js'

let db: Awaited<ReturnType<typeof openPlatformDb>>
let assistants: AssistantStore
beforeAll(async () => {
  db = await openPlatformDb()
  assistants = new AssistantStore(db)
})
afterAll(() => db.close())

const overriding = { model: { provider: 'openai', model: 'the-dearest', maxTokens: 250 } } as const

it('overrides choose a model, and do not where the assistant keeps its own', async () => {
  const { id: assistantId } = await assistants.create({ model: { provider: 'google', model: 'ours' } })
  const body = { assistantId, assistantOverrides: overriding }
  const free = await findCallAssistant(body, assistants)
  expect(free.assistant.model).toEqual(overriding.model)
  const kept = await findCallAssistant(body, assistants, { keepsModel: true })
  expect(kept.assistant.model).toEqual({ provider: 'google', model: 'ours', maxTokens: 250 })
  expect(kept.overrides).toEqual({ model: { provider: 'google', model: 'ours', maxTokens: 250 } })
})

it('an assistant that names no model keeps to that', async () => {
  const { id: assistantId } = await assistants.create({ name: 'Baker' })
  const body = { assistantId, assistantOverrides: overriding }
  const { assistant } = await findCallAssistant(body, assistants, { keepsModel: true })
  expect(assistant.model).toEqual({ provider: 'openai', maxTokens: 250 })
})

it('an assistant without overrides is taken as it is', async () => {
  const { id: assistantId } = await assistants.create({ name: 'Baker' })
  expect(await findCallAssistant({ assistantId }, assistants, { keepsModel: true })).toEqual({
    assistantId,
    assistant: { name: 'Baker' },
  })
})

it('an assistant speaks in an earlier version where the call names one', async () => {
  const { id: assistantId } = await assistants.create({ name: 'One' })
  await assistants.update(assistantId, { name: 'Two' })
  const named = async (assistantVersion?: string) =>
    (await findCallAssistant({ assistantId, assistantVersion }, assistants)).assistant.name
  expect(await named('1')).toBe('One')
  expect(await named()).toBe('Two')
  await expect(named('3')).rejects.toThrow(`${assistantId} version 3 does not exist`)
  const inline = { assistant: { name: 'Inline' }, assistantVersion: '1' }
  await expect(findCallAssistant(inline, assistants)).rejects.toThrow('give assistantId')
})

it('a public call chooses no version', () => {
  expect(() => refuseTrustedSettings({ assistantVersion: '1' })).toThrow('may not choose an assistantVersion')
})
