import { expect, it } from 'vitest'
import { resolveSettings, type Settings } from './settings.js'

it('makes addresses absolute and without a last slash', () => {
  const settings: Settings = {
    backendUrl: '/-/backend/',
    backendKey: 'public-key',
    callWebhookUrl: '/-/backend/functions/v1/call-me',
    platformUrl: 'https://api.platform.test/',
    platformPublicKey: 'public',
    assistantId: 'assistant',
    websiteUrl: 'https://example.com',
    visitorHeader: true,
    logVisitors: true,
    inCallStrip: true,
  }
  expect(resolveSettings(settings, 'http://localhost:3000/ada')).toEqual({
    ...settings,
    backendUrl: 'http://localhost:3000/-/backend',
    callWebhookUrl: 'http://localhost:3000/-/backend/functions/v1/call-me',
    platformUrl: 'https://api.platform.test',
  })
})
