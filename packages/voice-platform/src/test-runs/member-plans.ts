import { rootOf } from '../assistants/liquid-value.js'
import { ApiError } from '../resources/api-error.js'

type Settings = Record<string, unknown>

/** The sides of a suite's conversations, and where each holds settings of an assistant. */
export const PLANS = ['targetPlan', 'testerPlan'] as const
const ASSISTANTS = ['assistant', 'assistantOverrides']

/** What members below admin may set of an assistant: what it says and hears, and how. */
const OPEN: ReadonlySet<string> = new Set([
  ...['name', 'firstMessage', 'firstMessageMode', 'firstMessageInterruptionsEnabled', 'endCallMessage'],
  ...['endCallPhrases', 'voicemailMessage', 'model', 'voice', 'transcriber', 'variableValues', 'metadata'],
  ...['maxDurationSeconds', 'silenceTimeoutSeconds', 'customerJoinTimeoutSeconds', 'keypadInputPlan'],
  ...['startSpeakingPlan', 'stopSpeakingPlan', 'messagePlan', 'backgroundSound', 'clientMessages'],
  ...['backgroundDenoisingEnabled', 'backgroundSpeechDenoisingPlan', 'modelOutputInMessagesEnabled'],
])
/** The same of its model. */
const OPEN_OF_MODEL: ReadonlySet<string> = new Set([
  ...['provider', 'model', 'messages', 'temperature', 'maxTokens'],
  ...['emotionRecognitionEnabled', 'numFastTurns'],
])
/** What names a server, its keys or what is looked up, wherever it lies in those. */
const ACTING: ReadonlySet<string> = new Set([
  ...['server', 'serverUrl', 'url', 'apiUrl', 'headers', 'apiKey', 'authenticationPlan'],
  ...['credentials', 'credentialId', 'credentialIds', 'tools', 'toolIds', 'hooks'],
  ...['knowledgeBase', 'knowledgeBaseId'],
])
/** Variables that say who is talked with, and by which way. A tool may ask its server for that person's data. */
const OF_THE_CALL: ReadonlySet<string> = new Set(['customer', 'transport', 'callerProven'])

/**
 * A suite that a member below admin stores is run by an owner, with the owner's tools and keys. Throws an `ApiError` 403 where a plan in it
 * has what acts or reads, or had it before.
 */
export function refuseActingPlans(change: Settings, before: Settings = {}): void {
  for (const plan of PLANS) {
    if (change[plan] === undefined) continue
    const field = actingField(change[plan]) ?? actingField(before[plan])
    if (field !== undefined)
      throw new ApiError(
        403,
        `${plan}.${field} acts or reads for whoever runs the suite: only an admin may set it, or change a ${plan} that has it. Leave ${plan} out.`,
      )
  }
}

/**
 * The same for a session that a member below admin stores: chats in it are answered with the private key. Throws an `ApiError` 403 where its
 * own assistant, or what it sets for its customer, acts or reads.
 */
export function refuseActingAssistant({ assistant, customer }: Settings): void {
  const given = { assistant, 'customer.assistantOverrides': settingsAt(customer, 'assistantOverrides') }
  for (const [place, settings] of Object.entries(given)) {
    const field = actingFieldOfAssistant(settings)
    if (field !== undefined)
      throw new ApiError(
        403,
        `${place}.${field} acts or reads for whoever goes on with the session: only an admin may set it. Leave it out.`,
      )
  }
}

/** The path of the first field of a plan that acts or reads. */
function actingField(plan: unknown): string | undefined {
  for (const place of ASSISTANTS) {
    const found = actingFieldOfAssistant(settingsAt(plan, place))
    if (found !== undefined) return `${place}.${found}`
  }
  return undefined
}

const actingFieldOfAssistant = (assistant: unknown): string | undefined =>
  firstOf(entriesOf(assistant), (name, value) => {
    if (!OPEN.has(name)) return ''
    // Only filled into texts, whatever its names say.
    if (name === 'metadata') return undefined
    if (name === 'variableValues') return variableOfTheCall(value)
    return name === 'model' ? actingInModel(value) : actingWithin(value)
  })

const actingInModel = (model: unknown): string | undefined =>
  firstOf(entriesOf(model), (name, value) => (OPEN_OF_MODEL.has(name) ? actingWithin(value) : ''))

/** However its name is written: `customer.number` is a name of its own, and is read before what lies in `customer`. */
const variableOfTheCall = (values: unknown): string | undefined =>
  firstOf(entriesOf(values), (name) => (OF_THE_CALL.has(rootOf(name)) ? '' : undefined))

const actingWithin = (given: unknown): string | undefined =>
  firstOf(entriesOf(given), (name, value) => (ACTING.has(name) ? '' : actingWithin(value)))

/** The path to what `look` finds first: it answers the rest of the path, and an empty one where it is the field itself. */
function firstOf(
  entries: readonly [string, unknown][],
  look: (name: string, value: unknown) => string | undefined,
): string | undefined {
  for (const [name, value] of entries) {
    const rest = look(name, value)
    if (rest !== undefined) return rest === '' ? name : `${name}.${rest}`
  }
  return undefined
}

const entriesOf = (given: unknown): [string, unknown][] =>
  typeof given === 'object' && given !== null ? Object.entries(given) : []

const settingsAt = (given: unknown, name: string): unknown =>
  entriesOf(given).find(([own]) => own === name)?.[1]
