import { afterAll, beforeAll, expect, it } from 'vitest'
import { AssistantStore } from '../assistants/assistant-store.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { findCallAssistant } from './call-assistant.js'

let db: Awaited<ReturnType<typeof openPlatformDb>>
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())

const HIDING = { serverMessages: [], artifactPlan: { transcriptPlan: { enabled: false } } }
const chosen = (trusted: boolean) =>
  findCallAssistant(
    { assistant: { firstMessage: 'Hello.', ...HIDING }, assistantOverrides: { name: 'Baker', ...HIDING } },
    { assistants: new AssistantStore(db), trusted },
  )

it('the public cannot hide a call', async () => {
  expect(await chosen(false)).toEqual({
    assistantGiven: { firstMessage: 'Hello.' },
    overrides: { name: 'Baker' },
    assistant: { firstMessage: 'Hello.', name: 'Baker' },
  })
})

it('the private key says what is told and kept of a call', async () => {
  expect((await chosen(true)).assistant).toEqual({ firstMessage: 'Hello.', name: 'Baker', ...HIDING })
})
