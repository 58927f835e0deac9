import { z } from 'zod'
import { json, operation } from './operation.js'

/** A prompt of the greatest length, in UTF-8 and with every character escaped. */
const LONGEST = 1_000_000
/** The platform is asked twice: what there is, and the change. */
const CHANGE_MS = 60_000

const LONGEST_FIRST_MESSAGE = 10_000
const LONGEST_PROMPT = 100_000

const voice = z.object({
  provider: z.string().min(1, 'A voice has a provider'),
  voiceId: z.string().min(1, 'A voice has an id'),
})

const model = z.object({
  provider: z.string().min(1, 'A model has a provider'),
  model: z.string().min(1, 'A model has a name'),
  /** Null: the platform's own. */
  temperature: z.number().min(0).max(2, 'A temperature is 0 to 2').nullable(),
  /** Longest reply. Null: the platform's own. */
  maxTokens: z.int().min(50, 'A reply may have 50 tokens at least').max(10_000).nullable(),
})

/** When a call ends by itself, in seconds. */
const limits = z.object({
  maxDurationSeconds: z
    .int()
    .min(10, 'A call lasts 10 seconds at least')
    .max(43_200, 'A call lasts 43,200 seconds at most'),
  silenceTimeoutSeconds: z
    .int()
    .min(10, 'Silence lasts 10 seconds at least')
    .max(3_600, 'Silence lasts 3,600 seconds at most'),
})

const texts = z.object({
  name: z.string().trim().min(1, 'The assistant needs a name').max(40, 'A name has up to 40 characters'),
  firstMessage: z
    .string()
    .max(LONGEST_FIRST_MESSAGE, `A first message has up to ${LONGEST_FIRST_MESSAGE} characters`),
  /** The first system message of the model. */
  prompt: z.string().max(LONGEST_PROMPT, `A prompt has up to ${LONGEST_PROMPT} characters`),
})

/** The stored assistant. Voice and model are null where the platform's own speak. */
const assistant = z.object({
  id: z.string(),
  name: z.string(),
  firstMessage: z.string(),
  prompt: z.string(),
  voice: z.object({ provider: z.string(), voiceId: z.string().nullable() }).nullable(),
  model: z
    .object({
      provider: z.string(),
      model: z.string(),
      temperature: z.number().nullable(),
      maxTokens: z.number().nullable(),
    })
    .nullable(),
  limits: z.object({ maxDurationSeconds: z.number(), silenceTimeoutSeconds: z.number() }),
  /** ISO 8601. */
  updatedAt: z.string(),
})

const changes = texts.extend({ voice, model }).partial()

/** One part of a conversation's machinery, and what it can do. */
const engine = z.object({
  part: z.enum(['Transcriber', 'Model', 'Voice']),
  /** What it is and where. */
  end: z.string(),
  can: z.array(z.string()),
  cannot: z.array(z.string()),
})

/** A setting that is not what it was: texts only of what operators see. */
const difference = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
const whichVersion = z.object({
  version: z.string().regex(/^[\w-]{1,64}$/, 'Which version? Give its number, as the list has it'),
})
const noVersion = () => ({
  code: 'version_not_found',
  message: 'Which version? Give its number, as the list has it',
})

const refusal = (error: z.ZodError) => {
  const [issue] = error.issues
  const where = issue?.path.join('.')
  return {
    code: 'invalid_assistant',
    message: issue?.message.startsWith('Invalid')
      ? `${where || 'The body'} can not be read`
      : `${issue?.message}`,
  }
}

export const assistantOperations = {
  show: operation({
    method: 'GET',
    path: '/assistant',
    summary: 'The stored assistant that speaks in every call',
    role: 'viewer',
    answer: json(assistant),
    patienceMs: CHANGE_MS,
    isQuick: true,
  }),
  update: operation({
    method: 'POST',
    path: '/assistant',
    summary: 'Changes what the assistant says and who speaks; what is left out stays',
    role: 'editor',
    body: changes,
    longest: LONGEST,
    refusal,
    answer: json(
      z.object({
        assistant,
        /** Names of what is different now. */
        changed: z.array(z.string()),
        /** What was there: given to this operation it undoes the change. */
        before: changes,
      }),
    ),
    audit: 'assistant_changed',
    notes: ['changed'],
    patienceMs: CHANGE_MS,
  }),
  setLimits: operation({
    method: 'POST',
    path: '/assistant/limits',
    summary: 'Changes when a call with the assistant ends by itself',
    role: 'owner',
    stepUp: true,
    body: limits.partial(),
    refusal,
    answer: json(z.object({ limits, before: limits })),
    audit: 'assistant_limits',
    notes: ['limits', 'before'],
    patienceMs: CHANGE_MS,
  }),
  versions: operation({
    method: 'GET',
    path: '/assistant/versions',
    summary: 'What the assistant was, the newest first, with the names of what each version changed',
    role: 'viewer',
    answer: json(
      z.object({
        versions: z.array(
          z.object({
            version: z.string(),
            createdAt: z.string(),
            /** The newest: it speaks now. */
            isNow: z.boolean(),
            /** Null where the version before is not kept. */
            changed: z.array(z.string()).nullable(),
          }),
        ),
      }),
    ),
    patienceMs: CHANGE_MS,
    isQuick: true,
  }),
  version: operation({
    method: 'GET',
    path: '/assistant/version',
    summary: 'What one version of the assistant changed, and what a restore of it would change',
    role: 'viewer',
    query: whichVersion,
    refusal: noVersion,
    answer: json(
      z.object({
        version: z.string(),
        createdAt: z.string(),
        changes: z.array(difference).nullable(),
        restores: z.array(difference),
      }),
    ),
    patienceMs: CHANGE_MS,
    isQuick: true,
  }),
  restore: operation({
    method: 'POST',
    path: '/assistant/restore',
    summary:
      'Gives the assistant what it was in a version; limits stay for operators, and editors change texts, who speaks and the model alone',
    role: 'editor',
    body: whichVersion,
    refusal: noVersion,
    answer: json(
      z.object({
        version: z.string(),
        assistant,
        changed: z.array(z.string()),
        /** The version that was the newest: restored, it undoes this. */
        before: z.string(),
      }),
    ),
    audit: 'assistant_restored',
    notes: ['version', 'changed'],
    patienceMs: CHANGE_MS,
  }),
  engines: operation({
    method: 'GET',
    path: '/assistant/engines',
    summary: 'What hears, thinks and speaks, and what each can and can not do',
    role: 'viewer',
    answer: json(z.object({ platform: z.enum(['built-in', 'hosted']), engines: z.array(engine) })),
    isQuick: true,
  }),
  testCall: operation({
    method: 'POST',
    path: '/assistant/test-call',
    summary: 'Begins a browser call with the stored assistant, to try it',
    role: 'editor',
    // The platform's call as the public key would have got it.
    answer: json(z.looseObject({ id: z.string(), webCallUrl: z.string() })),
    audit: 'assistant_tested',
    notes: ['id'],
    patienceMs: CHANGE_MS,
  }),
}
