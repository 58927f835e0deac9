import { price } from './money-value.js'
import { setting } from './setting.js'

const COUNTED = 'The built-in platform counts it in each call, and `costs` of the call says what it came to.'

/** What the parts of a call cost the operator, in US dollars. */
export const costEnvironment = {
  COST_MODEL_INPUT: setting(price, {
    default: '0',
    meaning: `What a million tokens that the model reads cost you, in US dollars. ${COUNTED} Tokens are those that the engine counts, or else estimated from the text: four characters of English each, and more for other scripts. With all five prices at 0 nothing is counted.`,
    examples: ['`0.15`'],
  }),
  COST_MODEL_OUTPUT: setting(price, {
    default: '0',
    meaning: 'What a million tokens that the model writes cost you, in US dollars.',
  }),
  COST_TRANSCRIBER: setting(price, {
    default: '0',
    meaning:
      'What a minute of audio costs you that the transcriber gets, in US dollars. It gets a turn again at each pause, so this is more than the caller speaks.',
  }),
  COST_VOICE: setting(price, {
    default: '0',
    meaning: 'What 1,000 characters that the voice speaks cost you, in US dollars.',
  }),
  COST_PLATFORM: setting(price, {
    default: '0',
    meaning: 'What a minute of a call costs you beside all that, in US dollars: your machine, or the line.',
  }),
}

const MILLION = 1_000_000

/** Prices in US dollars, as the voice platform takes them; undefined where all are 0. */
export function callPrices(values: Record<keyof typeof costEnvironment, number>) {
  const { COST_MODEL_INPUT, COST_MODEL_OUTPUT, COST_TRANSCRIBER, COST_VOICE, COST_PLATFORM } = values
  if (COST_MODEL_INPUT + COST_MODEL_OUTPUT + COST_TRANSCRIBER + COST_VOICE + COST_PLATFORM === 0)
    return undefined
  return {
    modelInputPerMillion: COST_MODEL_INPUT / MILLION,
    modelOutputPerMillion: COST_MODEL_OUTPUT / MILLION,
    transcriberPerMinute: COST_TRANSCRIBER / MILLION,
    voicePerThousand: COST_VOICE / MILLION,
    platformPerMinute: COST_PLATFORM / MILLION,
  }
}
