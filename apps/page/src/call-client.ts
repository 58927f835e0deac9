import { WebCallClient } from '@heyline/web-call'
import { assistantOverrides } from './assistant-overrides.js'
import type { CallClient, CallListeners } from './browser-call.js'
import type { CallButton } from './call-button.js'
import { followCall } from './in-call/follow-call.js'
import type { Settings } from './settings.js'
import type { Store } from './store.js'

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
  void client.preload()
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
