import type { AssistantParts } from '@heyline/back-office'
import type { EngineSettings, Settings } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'

type Facts = Awaited<ReturnType<AssistantParts['engines']>>
type Engine = Facts['engines'][number]
type Abilities = Pick<Engine, 'can' | 'cannot'>

/** What each part can and can not do, by where it is. `docs/voice-platform.md` and `docs/wires.md` say it at length. */
const ABILITIES = {
  offlineTranscriber: {
    can: ['Hears when somebody speaks and when they stop'],
    cannot: ['Understands no words: the assistant says so, and tells something from the prompt'],
  },
  browserTranscriber: {
    can: [
      'Hears when somebody speaks and when they stop',
      "Takes the words from the speech recognition of the caller's browser (Chrome, Edge and Safari on a computer)",
    ],
    cannot: [
      'Understands no words on the phone, in Firefox, or without the internet',
      "Keeps no voice on this machine: the browser may send it to the browser's maker",
    ],
  },
  offlineModel: {
    can: [
      'Answers with those sentences of the prompt that share words with the question',
      'Knows greetings, thanks, goodbyes and “say that again”',
    ],
    cannot: ['Speaks no language but English', 'Draws no conclusions, invents nothing, and uses no tools'],
  },
  offlineVoice: {
    can: ['Speaks English with a voice that comes with Heyline', 'Begins at once, without a network'],
    cannot: ['Has one voice: the voice of the assistant is stored and not used', 'Sounds like a machine'],
  },
  namedTranscriber: {
    can: ['Understands what its model understands, in browser calls and on the phone'],
    cannot: ['Hears a turn once it is over, so each answer waits for it'],
  },
  streamingTranscriber: {
    can: [
      'Understands what its model understands, in browser calls and on the phone',
      'Listens while the caller speaks, so its words are there soon after the last one',
    ],
    cannot: ['Is paid by the time that callers speak, where its maker charges for it'],
  },
  namedModel: {
    can: [
      'Answers with the whole prompt and the conversation',
      'Keeps to temperature and longest reply',
      'Transfers phone calls and presses keys, where the assistant has these tools',
    ],
    cannot: ['Uses no other tools, and hands no call to another assistant'],
  },
  namedVoice: {
    can: ['Speaks as its model speaks, as the sound comes', 'Has the voice that the assistant names'],
    cannot: ['Knows no voice of another provider: it then speaks with its default one (VOICE_ID)'],
  },
  hosted: {
    can: ['Does what the hosted platform offers for the settings of the assistant'],
    cannot: ['Is not ours to look into: its own dashboard says more'],
  },
} satisfies Record<string, Abilities>

/** What hears, thinks and speaks here. */
export function engineFacts({
  platform,
  engines: { transcriber, model, voice },
  browserTranscriber,
}: Pick<Settings, 'platform' | 'engines' | 'browserTranscriber'>): Facts {
  if (platform) {
    const end = shownUrl(platform.url)
    const parts = ['Transcriber', 'Model', 'Voice'] as const
    return { platform: 'hosted', engines: parts.map((part) => ({ part, end, ...ABILITIES.hosted })) }
  }
  const heard = browserTranscriber ? 'browserTranscriber' : 'offlineTranscriber'
  const { kind = 'openai' } = transcriber ?? {}
  const isStreaming = kind !== 'openai' && kind !== 'wyoming'
  return {
    platform: 'built-in',
    engines: [
      {
        part: 'Transcriber',
        ...placed(transcriber, isStreaming ? 'streamingTranscriber' : 'namedTranscriber', heard),
      },
      { part: 'Model', ...placed(model, 'namedModel', 'offlineModel') },
      { part: 'Voice', ...placed(voice, 'namedVoice', 'offlineVoice') },
    ],
  }
}

type Place = keyof typeof ABILITIES

function placed(engine: EngineSettings | undefined, named: Place, offline: Place): Omit<Engine, 'part'> {
  if (!engine) return { end: 'offline, on this machine', ...ABILITIES[offline] }
  return { end: `${engine.name ? `${engine.name} at ` : ''}${shownUrl(engine.url)}`, ...ABILITIES[named] }
}
