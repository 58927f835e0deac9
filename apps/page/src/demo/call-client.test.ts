import { Store } from '@heyline/kit/store'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { IDLE_BUTTON } from '../call/call-button.js'
import type { Settings } from '../document/settings.js'
import type { AssistantTexts } from '../visitor/visitor.js'
import { createCallClient } from './call-client.js'

const SETTINGS: Settings = {
  backendUrl: 'https://backend.example',
  backendKey: 'backend-key',
  callWebhookUrl: 'https://webhook.example/call-me',
  platformUrl: 'https://platform.example',
  platformPublicKey: 'public-key',
  assistantId: 'assistant-1',
  websiteUrl: 'https://www.example.com/',
  visitorHeader: true,
  logVisitors: true,
  inCallStrip: false,
}

const TEXTS: AssistantTexts = { system: 'You answer for a bakery.', first_message: 'Hello!' }

const MODEL = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  emotionRecognitionEnabled: true,
  maxTokens: 250,
}

describe('the call client', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** What is posted to the platform for a press on the button; the platform refuses, so that there is no call. */
  async function posted(texts: AssistantTexts, changes: Partial<Settings> = {}) {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({}, { status: 503 }))
    vi.stubGlobal('fetch', fetch)
    const onError = vi.fn<(error: unknown) => void>()
    const listeners = { onStart() {}, onEnd() {}, onError }
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', { getElementById: () => new EventTarget() })
    // The call is created in the press itself.
    vi.stubGlobal('navigator', { permissions: { query: async () => ({ state: 'granted' }) } })
    const client = createCallClient({ ...SETTINGS, ...changes }, 'ada', listeners, new Store(IDLE_BUTTON))
    await new Promise((resolve) => setImmediate(resolve))
    // What is loaded ahead is read only.
    const posts = () => fetch.mock.calls.filter(([, init]) => init?.method === 'POST')
    expect(posts()).toEqual([])
    await expect(client.start(texts)).resolves.toBeNull()
    expect(onError).toHaveBeenCalled()
    await vi.waitFor(() => expect(posts()).toHaveLength(1))
    const [url, init] = posts()[0] ?? []
    const headers = new Headers(init?.headers)
    return {
      request: `${init?.method} ${url}`,
      authorization: headers.get('authorization'),
      visitor: headers.get('x-visitor-slug'),
      body: JSON.parse(String(init?.body)),
    }
  }

  it("asks no host of Daily's for a room's code before somebody is about to press", async () => {
    const button = new EventTarget()
    const links: { href?: string }[] = []
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', {
      getElementById: () => button,
      createElement: () => ({}),
      head: { append: (link: object) => links.push(link) },
    })
    const listeners = { onStart() {}, onEnd() {}, onError() {} }
    vi.resetModules() // a page asks once: this is another one
    const { createCallClient } = await import('./call-client.js')
    createCallClient(
      { ...SETTINGS, platformUrl: 'https://api.vapi.ai' },
      'ada',
      listeners,
      new Store(IDLE_BUTTON),
    )
    expect(links).toEqual([])
    button.dispatchEvent(new Event('pointerenter'))
    button.dispatchEvent(new Event('focus'))
    expect(links.map(({ href }) => new URL(href ?? '').host)).toEqual(['c.daily.co'])
  })

  it('posts the fixed assistant with the overrides of a visitor, and nothing else (spec 7.5)', async () => {
    expect(await posted(TEXTS)).toEqual({
      request: 'POST https://platform.example/call/web',
      authorization: 'Bearer public-key',
      visitor: null,
      body: {
        assistantId: 'assistant-1',
        assistantOverrides: {
          firstMessage: 'Hello!',
          model: { ...MODEL, messages: [{ role: 'system', content: 'You answer for a bakery.' }] },
        },
      },
    })
  })

  it('tells a platform of ours for which visitor it asks, and asks for the same', async () => {
    const { visitor, ...asked } = await posted(TEXTS, { ownPlatform: true })
    expect(visitor).toBe('ada')
    expect({ ...asked, visitor: null }).toEqual(await posted(TEXTS))
  })

  it('asks our server instead where that makes the calls: with the slug, and neither key nor prompt', async () => {
    const minted = {
      webCallFunction: 'https://demo.example/functions/v1/web-call',
      platformPublicKey: 'none',
    }
    expect(await posted(TEXTS, minted)).toEqual({
      request: 'POST https://demo.example/functions/v1/web-call',
      authorization: null,
      visitor: null,
      body: { slug: 'ada' },
    })
  })

  it('leaves out the texts that a visitor does not have', async () => {
    const { body } = await posted({ system: null, first_message: ' ' })
    expect(body).toEqual({ assistantId: 'assistant-1', assistantOverrides: { model: MODEL } })
  })
})
