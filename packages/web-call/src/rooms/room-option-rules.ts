/** What a call room takes at most (spec 5 and 9). Lengths are in characters. */
export const ROOM_LIMITS = {
  userData: 4_096,
  blurStrength: 1,
  presetImages: 10,
  imageTypes: ['jpg', 'png', 'jpeg'],
  playerVolume: 2,
  dialOutUserId: 36,
  tones: 20,
  gridTiles: 49,
  /** JSON of an app message, before a Daily room has told a limit of its own; that room itself refuses longer ones. */
  message: 4_096,
  sessionData: 102_400,
} as const

const INTEGRATION_LOCATIONS: readonly unknown[] = ['main', 'sidebar']
const VISUAL_STATES: readonly unknown[] = ['default', 'sidebar-open', 'active']

/**
 * How a Daily room loads its code (spec 9). These are built into `@daily-co/daily-js` 0.80.0, which takes no setting for
 * them; `e2e/daily-room.spec.ts` holds the library to them.
 */
export const BUNDLE_LIMITS = { timeoutMs: 20_000, attempts: 3, retryDelayMs: 3_000 } as const

/** What one value must be. */
export interface Rule {
  must: string
  holds(value: unknown): boolean
  /** What is told of a value that is refused. */
  given?(value: unknown): string
}

/** Every rule of a single value. */
export const RULES = {
  object: { must: 'be an object', holds: isRecord },
  userData: jsonUpTo(ROOM_LIMITS.userData),
  sessionData: jsonUpTo(ROOM_LIMITS.sessionData),
  blurStrength: {
    must: `be a number above 0 and up to ${ROOM_LIMITS.blurStrength}`,
    holds: (value) => typeof value === 'number' && value > 0 && value <= ROOM_LIMITS.blurStrength,
  },
  backgroundImage: {
    must: `be a preset (an integer from 1 to ${ROOM_LIMITS.presetImages}), or the address of an image of type ${ROOM_LIMITS.imageTypes.join(', ')}`,
    holds: isBackgroundImage,
  },
  volume: {
    must: `be a number from 0.0 to ${ROOM_LIMITS.playerVolume}.0`,
    holds: (value) => typeof value === 'number' && value >= 0 && value <= ROOM_LIMITS.playerVolume,
  },
  gridTiles: {
    must: `be an integer from 1 to ${ROOM_LIMITS.gridTiles}`,
    holds: (value) => isIntegerUpTo(ROOM_LIMITS.gridTiles, value),
  },
  label: { must: 'be given as text', holds: (value) => typeof value === 'string' && value !== '' },
  location: { must: 'be main or sidebar', holds: (value) => INTEGRATION_LOCATIONS.includes(value) },
  oneSource: {
    must: 'have exactly one of src and srcdoc',
    holds: (value) => isRecord(value) && 'src' in value !== 'srcdoc' in value,
    given: (value) => (isRecord(value) && 'src' in value ? 'given both' : 'given neither'),
  },
  visualState: {
    must: 'be default, sidebar-open or active',
    holds: (value) => VISUAL_STATES.includes(value),
  },
  transferTarget: {
    must: 'begin with sip: or +',
    holds: (value) => beginsWith(value, 'sip:') || beginsWith(value, '+'),
  },
  sipTarget: { must: 'begin with sip:', holds: (value) => beginsWith(value, 'sip:') },
  noCallerId: {
    must: 'be left out unless the target is a phone number',
    holds: (value) => value === undefined,
  },
  dialOutUserId: textUpTo(ROOM_LIMITS.dialOutUserId),
  tones: textUpTo(ROOM_LIMITS.tones),
} satisfies Record<string, Rule>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const beginsWith = (value: unknown, start: string) =>
  typeof value === 'string' && value.startsWith(start)

const isIntegerUpTo = (limit: number, value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limit

function textUpTo(limit: number): Rule {
  return {
    must: `be text of at most ${limit} characters`,
    holds: (value) => typeof value === 'string' && value.length <= limit,
  }
}

/** A text counts as it is, anything else as its JSON. */
function jsonUpTo(limit: number): Rule {
  return {
    must: `be serialisable as JSON of at most ${limit} characters`,
    holds: (value) => (jsonOf(value)?.length ?? Number.POSITIVE_INFINITY) <= limit,
    given: (value) => {
      const json = jsonOf(value)
      return json === undefined ? 'not serialisable' : `${json.length} characters long`
    },
  }
}

function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** A preset, Daily's default, the image's own bytes, or an address whose path or `data:` type tells the type of the image. */
function isBackgroundImage(source: unknown): boolean {
  if (typeof source === 'number') return isIntegerUpTo(ROOM_LIMITS.presetImages, source)
  if (source === 'default' || source instanceof ArrayBuffer) return true
  const { protocol, pathname } = addressOf(source)
  if (protocol === 'javascript:') return false
  const type = protocol === 'data:' ? /^image\/([^;,]*)/i.exec(pathname)?.[1] : pathname.split('.').at(-1)
  return ROOM_LIMITS.imageTypes.some((allowed) => allowed === type?.toLowerCase().trim())
}

function addressOf(source: unknown): { protocol: string; pathname: string } {
  try {
    return new URL(String(source))
  } catch {
    return { protocol: '', pathname: '' }
  }
}
