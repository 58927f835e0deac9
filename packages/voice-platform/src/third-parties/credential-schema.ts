import { z } from 'zod'
import { resourceName } from '../resources/resource-name.js'
import { elevenLabsAccount } from './eleven-labs.js'
import { goHighLevelAccount } from './go-high-level.js'
import { makeAccount } from './make.js'
import { nangoAccount } from './nango.js'

/** Whom a credential is for: all that the types of the official clients have, and Nango, which only this platform asks. */
const PROVIDERS = [
  ...['11labs', 'anthropic', 'anthropic-bedrock', 'anyscale', 'assembly-ai', 'azure', 'azure-openai'],
  ...['byo-sip-trunk', 'cartesia', 'cerebras', 'cloudflare', 'custom-credential', 'custom-llm', 'deep-seek'],
  ...['deepgram', 'deepinfra', 'email', 'gcp', 'ghl.oauth2-authorization', 'gladia', 'gohighlevel', 'google'],
  ...['google.calendar.oauth2-authorization', 'google.calendar.oauth2-client'],
  ...['google.sheets.oauth2-authorization', 'groq', 'hume', 'inflection-ai', 'inworld', 'langfuse', 'lmnt'],
  ...['make', 'microsoft', 'minimax', 'mistral', 'nango', 'neuphonic', 'openai', 'openrouter'],
  ...['perplexity-ai', 'playht', 'rime-ai', 'runpod', 's3', 's3-compatible', 'slack-webhook'],
  ...[
    'slack.oauth2-authorization',
    'smallest-ai',
    'soniox',
    'speechmatics',
    'supabase',
    'tavus',
    'together-ai',
  ],
  ...['trieve', 'twilio', 'vonage', 'webhook', 'wellsaid', 'xai'],
]

/** Body of `POST /credential`. What else a provider knows is stored as it comes. */
export const credential = z.looseObject({ provider: z.enum(PROVIDERS), name: resourceName.optional() })

const ACCOUNTS: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  ['11labs', elevenLabsAccount],
  ['gohighlevel', goHighLevelAccount],
  ['make', makeAccount],
  ['nango', nangoAccount],
])

/** What a credential needs of whom this platform asks; everything of others. */
export const accountOf = (provider: unknown): z.ZodType => ACCOUNTS.get(provider) ?? z.unknown()
