import type { Queryable } from '@heyline/database'
import { foundBy } from '../resources/found-by.js'
import { type Resource, ResourceStore } from '../resources/resource-store.js'
import type { KeptVoice } from './voice.js'

const PROVIDER = foundBy('provider')
const PROVIDER_ID = foundBy('providerId')
/** All that a list may show. */
const ALL = { limit: 1000 }

/** The voices of accounts at third parties, as they were when they were last looked up. */
export class VoiceShelf {
  readonly #store: ResourceStore

  constructor(db: Queryable) {
    this.#store = new ResourceStore(db, { name: 'voice', secrets: {}, destinations: [] })
  }

  /** Newest first, those included that are gone at the party. */
  list(provider: string): Promise<Resource[]> {
    return this.#store.list(ALL, { [PROVIDER]: provider })
  }

  /** Keeps one, under the id that it has at the party. */
  async keep(provider: string, credentialId: string, voice: KeptVoice): Promise<Resource> {
    const settings = { provider, credentialId, ...voice, isPublic: false, isDeleted: false }
    const [before] = await this.#store.list(
      { limit: 1 },
      { [PROVIDER]: provider, [PROVIDER_ID]: voice.providerId },
    )
    const changed = before && (await this.#store.update(before.id, settings))
    return changed ?? (await this.#store.create(settings))
  }

  /** One after the other: two at once would keep the same voice twice. */
  #syncing: Promise<unknown> = Promise.resolve()

  /** Makes it what the party has: voices that are gone there are marked as deleted. Resolves with all of them. */
  sync(provider: string, credentialId: string, voices: readonly KeptVoice[]): Promise<Resource[]> {
    const synced = this.#syncing.then(() => this.#sync(provider, credentialId, voices))
    this.#syncing = synced.catch(() => undefined)
    return synced
  }

  async #sync(provider: string, credentialId: string, voices: readonly KeptVoice[]): Promise<Resource[]> {
    const there = new Set(voices.map(({ providerId }) => providerId))
    for (const voice of voices) await this.keep(provider, credentialId, voice)
    for (const { id, providerId, isDeleted } of await this.list(provider))
      if (!isDeleted && !there.has(String(providerId))) await this.#store.update(id, { isDeleted: true })
    return await this.list(provider)
  }
}
