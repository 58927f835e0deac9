import type { Store } from '@heyline/kit/store'
import { systemClock, type WebCallClient } from '@heyline/web-call'
import type { CallButton } from '../call/call-button.js'
import { Kept } from '../state/kept.js'
import { CallStrip } from './call-strip.js'

/**
 * Follows the client's calls from the first moment on, and loads what shows them: a chunk of its own. A load that
 * failed is tried again when a call starts; without it the call goes on, and has no strip.
 */
export function followCall(client: WebCallClient, button: Store<CallButton>): void {
  const strip = new CallStrip(client, systemClock)
  const mounted = new Kept(async () => {
    const chunk = await import('./mount-strip.js')
    chunk.mountStrip(strip, button)
  })
  mounted.warm()
  client
    .on('call-start', () => {
      strip.begin()
      mounted.warm()
    })
    .on('call-end', () => strip.end())
    .on('connection', ({ state }) => strip.connect(state === 'connected'))
    .on('transcript', (line) => strip.hear(line))
    .on('volume-level', (level) => strip.level.measure(level))
}
