import { afterEach, expect, it, vi } from 'vitest'
import { noteCall } from './note-call.js'

afterEach(() => vi.unstubAllGlobals())
const note = { slug: 'ada', callId: 'call-1' }

it('posts the slug and the call, also while the page goes away', () => {
  const fetch = vi.fn(async () => new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', fetch)
  noteCall('/-/note', note)
  const headers = { 'content-type': 'application/json' }
  const body = '{"slug":"ada","callId":"call-1"}'
  expect(fetch).toHaveBeenCalledWith('/-/note', { method: 'POST', headers, body, keepalive: true })
})

it('asks nobody where no server wants to know', () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  noteCall(undefined, note)
  expect(fetch).not.toHaveBeenCalled()
})

it('says nothing of a fault but to whoever debugs', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {})
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  noteCall('/-/note', note)
  await vi.waitFor(() => expect(debug).toHaveBeenCalled())
  debug.mockRestore()
})
