import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { neededText } from './needed-text.js'
import { partyList } from './party-list.js'
import { askParty, type Party } from './party-request.js'
import type { FoundVoice, KeptVoice } from './voice.js'

const ORIGIN = 'https://api.elevenlabs.io'
/** Voices of one answer, and the most pages that a whole list is read in: a shelf shows no more of them. */
const PAGE = 100
const MOST_PAGES = 10

export const elevenLabsAccount = z.looseObject({
  apiKey: neededText('the API key of an account at ElevenLabs'),
})

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined)
const voiceId = z.looseObject({ voice_id: z.string() })
const shared = z.looseObject({
  voices: partyList(
    z.looseObject({
      ...{ voice_id: z.string(), name: z.string(), public_owner_id: z.string() },
      ...{ description: text, gender: text, age: text, accent: text },
    }),
  ),
})
const own = z.looseObject({
  voices: partyList(
    z.looseObject({
      ...{ voice_id: z.string(), name: z.string(), description: text, preview_url: text },
      labels: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
  has_more: z.boolean().optional(),
  next_page_token: text,
})

/** A recording of a voice that is to be cloned, with what is said of it. */
export interface Cloning {
  name: string
  description?: string | undefined
  /** A JSON object. */
  labels?: string | undefined
  files: readonly File[]
}

/** The voices of an ElevenLabs account (https://elevenlabs.io/docs/api-reference). */
export class ElevenLabs {
  readonly #party: Party

  constructor({ apiKey }: z.infer<typeof elevenLabsAccount>, fetch: Party['fetch']) {
    this.#party = { name: 'ElevenLabs', headers: { 'xi-api-key': apiKey }, fetch }
  }

  /** Voices of its public library. */
  async search(words: string): Promise<FoundVoice[]> {
    const url = new URL('/v1/shared-voices', ORIGIN)
    url.searchParams.set('search', words)
    url.searchParams.set('page_size', String(PAGE))
    const { voices } = await askParty(this.#party, url, shared)
    return voices.map(({ voice_id, name, public_owner_id, description, gender, age, accent }) => ({
      ...{ voiceId: voice_id, name, publicOwnerId: public_owner_id },
      ...{ description, gender, age, accent },
    }))
  }

  /** Adds a voice of its public library to the account. Resolves with its id there. */
  async add(ownerId: string, id: string, name: string): Promise<string> {
    const url = new URL(`/v1/voices/add/${encodeURIComponent(ownerId)}/${encodeURIComponent(id)}`, ORIGIN)
    const body = JSON.stringify({ new_name: name })
    const added = await askParty(this.#party, url, voiceId, {
      method: 'POST',
      body,
      type: 'application/json',
    })
    return added.voice_id
  }

  /** Makes a voice of recordings. Resolves with its id. */
  async clone({ name, description, labels, files }: Cloning): Promise<string> {
    const body = new FormData()
    body.set('name', name)
    if (description !== undefined) body.set('description', description)
    if (labels !== undefined) body.set('labels', labels)
    for (const file of files) body.append('files', file, file.name)
    const url = new URL('/v1/voices/add', ORIGIN)
    return (await askParty(this.#party, url, voiceId, { method: 'POST', body })).voice_id
  }

  /** All voices of the account. */
  async voices(): Promise<KeptVoice[]> {
    const found: KeptVoice[] = []
    let next: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const url = new URL('/v2/voices', ORIGIN)
      url.searchParams.set('page_size', String(PAGE))
      if (next !== undefined) url.searchParams.set('next_page_token', next)
      const { voices, has_more, next_page_token } = await askParty(this.#party, url, own)
      for (const { voice_id, name, description, preview_url, labels } of voices)
        found.push({
          ...{ providerId: voice_id, name, description, previewUrl: preview_url },
          ...labelled(labels ?? {}),
        })
      next = next_page_token
      if (!has_more || next === undefined) return found
    }
    throw new ApiError(400, `The account at ElevenLabs has more than ${MOST_PAGES * PAGE} voices.`)
  }
}

const label = z.string().optional().catch(undefined)
const known = z.looseObject({
  gender: z.enum(['male', 'female']).optional().catch(undefined),
  accent: label,
  language: label,
})

const labelled = (labels: Record<string, unknown>) => {
  const { gender, accent, language } = known.parse(labels)
  return { gender, accent, languageCode: language }
}
