import { createHash } from 'node:crypto'
import type { LibraryVoice } from '@heyline/platform-client'
import { z } from 'zod'
import { isWithin, listWindow } from '../resources/list-window.js'

/** A voice that this installation speaks with. */
export type OwnVoice = Required<Pick<LibraryVoice, 'provider' | 'providerId' | 'name'>> &
  Pick<LibraryVoice, 'language' | 'languageCode' | 'gender' | 'accent' | 'model' | 'description'>

/** The voice that every machine has. */
export const BUILT_IN_VOICES: readonly OwnVoice[] = [
  {
    provider: 'flite',
    providerId: 'cmu_us_slt',
    name: 'SLT',
    language: 'English',
    languageCode: 'en-US',
    gender: 'female',
    accent: 'American',
    description: 'The built-in voice: flite, by Carnegie Mellon University.',
  },
]

/** Query of `GET /voice-library/{provider}`. */
export const listVoices = z.strictObject({
  ...listWindow,
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number')
    .transform(Number)
    .default(1),
  keyword: z.string().max(100).optional(),
  language: z.string().max(100).optional(),
  accent: z.string().max(100).optional(),
  gender: z.string().max(100).optional(),
})

export type VoiceFilter = z.infer<typeof listVoices>

const text = z.string().optional().catch(undefined)

/** A voice of an account at a third party, as it is stored. */
const keptVoice = z.object({
  id: z.string(),
  orgId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  isPublic: z.boolean().catch(false),
  isDeleted: z.boolean().catch(false),
  provider: z.string(),
  providerId: z.string(),
  name: text,
  description: text,
  gender: text,
  accent: text,
  languageCode: text,
  previewUrl: text,
  credentialId: text,
})

/** The voices that assistants can have, as the platform's library shows them: those of our engines are known since the server started. */
export class VoiceLibrary {
  readonly #voices: readonly OwnVoice[]
  readonly #since: string

  constructor(voices: readonly OwnVoice[], since: Date) {
    this.#voices = voices
    this.#since = since.toISOString()
  }

  /** `kept` has what is stored of the provider's voices. */
  list(provider: string, orgId: string, filter: VoiceFilter, kept: readonly unknown[] = []): LibraryVoice[] {
    const { page, limit } = filter
    return this.#of(provider, orgId, kept)
      .filter((voice) => isWanted(voice, filter))
      .slice((page - 1) * limit, page * limit)
  }

  /** One voice of each accent. */
  accents(provider: string, orgId: string, kept: readonly unknown[] = []): LibraryVoice[] {
    const found = new Map<string, LibraryVoice>()
    for (const voice of this.#of(provider, orgId, kept))
      if (voice.accent !== undefined && !voice.isDeleted && !found.has(voice.accent))
        found.set(voice.accent, voice)
    return [...found.values()]
  }

  #of(provider: string, orgId: string, kept: readonly unknown[]): LibraryVoice[] {
    const stored = kept.flatMap((voice) => keptVoice.safeParse(voice).data ?? [])
    const known = new Set(stored.map(({ providerId }) => providerId))
    const own = this.#voices
      .filter((voice) => voice.provider === provider && !known.has(voice.providerId))
      .map((voice) => ({
        ...voice,
        id: idOf(voice),
        orgId,
        isPublic: false,
        isDeleted: false,
        createdAt: this.#since,
        updatedAt: this.#since,
      }))
    return [...own, ...stored.map(withoutGaps)]
  }
}

const withoutGaps = <Voice extends object>(voice: Voice): Voice => JSON.parse(JSON.stringify(voice))

const isSame = (wanted: string | undefined, ...texts: (string | undefined)[]): boolean =>
  wanted === undefined || texts.some((text) => text?.toLowerCase() === wanted.toLowerCase())

function isWanted(voice: LibraryVoice, filter: VoiceFilter): boolean {
  const { keyword, language, accent, gender } = filter
  const words = [voice.name, voice.providerId, voice.description].join(' ').toLowerCase()
  return (
    (keyword === undefined || words.includes(keyword.toLowerCase())) &&
    isSame(language, voice.language, voice.languageCode) &&
    isSame(accent, voice.accent) &&
    isSame(gender, voice.gender) &&
    isWithin(new Date(voice.createdAt), filter)
  )
}

/** The same for the same voice, whichever process is asked. */
function idOf({ provider, providerId }: OwnVoice): string {
  const hash = createHash('sha256').update(`${provider}\n${providerId}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
