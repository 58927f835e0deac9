import { Kept } from '../state/kept.js'

/**
 * What the first load does without: the reads with the database client, the phone form, the browser call. The modules
 * are held here, because `React.lazy` shows its fallback for 300 ms even when the chunk is in memory.
 */
export const readsChunk = new Kept(() => import('../visitor/reads.js'))
export const phoneFormChunk = new Kept(() => import('../phone/phone-form.js'))
export const callChunk = new Kept(() => import('./call-client.js'))
/** Only where the settings ask our own webhook for more than the specified wire. */
export const ownWebhookChunk = new Kept(() => import('../own-webhook/own-webhook.js'))
