import type { Store } from '@heyline/kit/store'
import { WebCallClient } from '@heyline/web-call'
import { assistantOverrides } from '../call/assistant-overrides.js'
import type { CallClient, CallListeners } from '../call/browser-call.js'
import type { CallButton } from '../call/call-button.js'
import { CALL_BUTTON_ID } from '../document/places.js'
import type { Settings } from '../document/settings.js'
import { followCall } from '../in-call/follow-call.js'

/**
 * A call client on the voice platform, from the settings' fixed assistant. A chunk of its own: loaded at idle or on
 * intent. `button` is the one that it serves: the strip is there while that is in a call.
 */
export function createCallClient(
  settings: Settings,
  listeners: CallListeners,
  button: Store<CallButton>,
): CallClient {
  const client = new WebCallClient({ token: settings.platformPublicKey, baseUrl: settings.platformUrl })
  preload(client)
  window.addEventListener('pagehide', () => void client.stop())
  if (settings.inCallStrip) followCall(client, button)
  client.on('call-start', () => listeners.onStart())
  client.on('call-end', () => listeners.onEnd())
  client.on('error', (error) => listeners.onError(error))
  return {
    start: async (texts) =>
      (await client.start({
        assistant: settings.assistantId,
        assistantOverrides: assistantOverrides(texts),
      })) !== null,
    stop: async () => {
      await client.stop()
    },
  }
}

/**
 * Loads the code of the room ahead of the press: at once where it is ours, and where it is Daily's, which comes from a host of
 * Daily's own, once somebody is about to press.
 */
function preload(client: WebCallClient): void {
  if (client.likelyRoom === 'socket') return void client.preload()
  const button = document.getElementById(CALL_BUTTON_ID)
  const load = () => void client.preload()
  for (const intent of ['pointerenter', 'pointerdown', 'focus'])
    button?.addEventListener(intent, load, { once: true })
}
