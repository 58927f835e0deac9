import type { Store } from '@heyline/kit/store'
import { isEndingError, resumeAudio, WebCallClient } from '@heyline/web-call'
import { assistantOverrides } from '../call/assistant-overrides.js'
import type { CallClient, CallListeners } from '../call/browser-call.js'
import type { CallButton } from '../call/call-button.js'
import { noteCall } from '../call/note-call.js'
import { CALL_BUTTON_ID } from '../document/places.js'
import type { Settings } from '../document/settings.js'
import { followCall } from '../in-call/follow-call.js'
import { Kept } from '../state/kept.js'

/**
 * A call client on the voice platform, from the settings' fixed assistant. A chunk of its own: loaded at idle or on
 * intent. `slug` is the visitor's. `button` is the one that it serves: the strip is there while that is in a call.
 */
export function createCallClient(
  settings: Settings,
  slug: string,
  listeners: CallListeners,
  button: Store<CallButton>,
): CallClient {
  const client = new WebCallClient({
    token: settings.platformPublicKey,
    baseUrl: settings.platformUrl,
    fetch: askedOf(settings, slug),
  })
  preload(client)
  window.addEventListener('pagehide', () => client.stop())
  resumeAudio(client)
  if (settings.inCallStrip) followCall(client, button)
  client
    .on('call-start', listeners.onStart)
    .on('call-end', listeners.onEnd)
    .on('error', (error) => (isEndingError(error.type) ? listeners.onError : console.warn)(error))
  return {
    async start(texts) {
      const call = await client.start({
        assistant: settings.assistantId,
        assistantOverrides: assistantOverrides(texts),
      })
      if (call) noteCall(settings.webCallNote, { slug, callId: call.id })
      return call
    },
    stop: () => client.stop(),
  }
}

/** Who is asked for a call: our server, a platform of ours that is told for whom, or the platform as specified (spec 7.5). */
function askedOf(settings: Settings, slug: string): typeof fetch | undefined {
  if (settings.webCallFunction) {
    const minted = new Kept(async () => {
      const chunk = await import('../minted/minted-calls.js')
      return chunk.mintedCalls(settings, slug)
    })
    minted.warm()
    return async (...request) => (await minted.get())(...request)
  }
  if (!settings.ownPlatform) return undefined
  // Headers are ASCII, and slugs need not be. The client's own headers are a plain object.
  const visitor = { 'x-visitor-slug': encodeURIComponent(slug) }
  return (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...visitor } })
}

/**
 * Loads the code of the room ahead of the press: at once where it is ours, and where it is Daily's, which comes from a host of
 * Daily's own, once somebody is about to press.
 */
function preload(client: WebCallClient): void {
  const load = () => client.preload()
  if (client.likelyRoom === 'socket') return void load()
  const button = document.getElementById(CALL_BUTTON_ID)
  for (const intent of ['pointerenter', 'pointerdown', 'focus'])
    button?.addEventListener(intent, load, { once: true })
}
