import type { AssistantOverrides } from '@heyline/platform-client'
import type { Visitor } from '../call/visitor-lookup.js'

/** Seconds in which nobody speaks, after which the call ends. */
const SILENCE_TIMEOUT_SECONDS = 15
/** The same in a browser, where somebody reads the page while the call goes on. */
const WEB_SILENCE_TIMEOUT_SECONDS = 30

/** Longest that a phone rings, in seconds. */
const RING_SECONDS = 30

/** What the desk hears of a call: its way, its end, and each thing that was said, of which "stop calling me" is acted on. */
const SERVER_MESSAGES = ['status-update', 'end-of-call-report', 'transcript[transcriptType="final"]']

export interface OverridesOptions {
  visitor: Visitor
  /** Spoken first. */
  disclosure: string
  /** Spoken after it where the visitor has no first message: the assistant's own. */
  firstMessage?: string | undefined
  /** Longest call, in seconds. */
  maxSeconds: number
  /** The platform decides by its operator's settings whether the call is recorded, and announces it. */
  mayBeRecorded?: boolean | undefined
  /** The assistant keeps its own model, and fills its texts with these values; a server of its own is told what it asks for. Left out: a visitor's call. */
  campaign?: { variableValues?: Record<string, unknown> | undefined; hasServer: boolean } | undefined
}

/** The model of every call, with the visitor's own instructions where there are any (specification, 7.5 and 9). */
function visitorModel(system: Visitor['system']): NonNullable<AssistantOverrides['model']> {
  return {
    provider: 'openai',
    model: 'gpt-4o-mini',
    emotionRecognitionEnabled: true,
    maxTokens: 250,
    ...(system?.trim() ? { messages: [{ role: 'system', content: system }] } : {}),
  }
}

/** What a call in the browser changes about the assistant: what the page itself would send (specification, 7.5), and how long it lasts and is silent. */
export function createWebOverrides(
  { system, first_message }: Visitor,
  maxSeconds: number,
): AssistantOverrides {
  return {
    ...(first_message?.trim() ? { firstMessage: first_message } : {}),
    model: visitorModel(system),
    maxDurationSeconds: maxSeconds,
    silenceTimeoutSeconds: WEB_SILENCE_TIMEOUT_SECONDS,
  }
}

/**
 * What a phone call changes about the assistant (specification, 7 and 9): the visitor's texts, of which empty ones are left out; the disclosure
 * before the first message, and nobody speaks over it; and what bounds a call to somebody's phone: how long it rings, is silent and lasts,
 * nothing is recorded unless the operator has the built-in platform do so, and nothing is left on a voicemail box.
 */
export function createAssistantOverrides({
  visitor: { system, first_message },
  disclosure,
  firstMessage,
  maxSeconds,
  mayBeRecorded = false,
  campaign,
}: OverridesOptions): AssistantOverrides {
  const greeting = first_message?.trim() ? first_message : firstMessage
  return {
    firstMessage: greeting?.trim() ? `${disclosure} ${greeting}` : disclosure,
    firstMessageMode: 'assistant-speaks-first',
    firstMessageInterruptionsEnabled: false,
    ...(campaign
      ? campaign.variableValues && { variableValues: campaign.variableValues }
      : { model: visitorModel(system) }),
    maxDurationSeconds: maxSeconds,
    silenceTimeoutSeconds: SILENCE_TIMEOUT_SECONDS,
    // The packets of a call are its sound, too.
    ...(!mayBeRecorded && { artifactPlan: { recordingEnabled: false, pcapEnabled: false } }),
    voicemailDetection: { provider: 'vapi' },
    // An assistant's own message would be left otherwise. An empty one is none: the call hangs up.
    voicemailMessage: '',
    // Without that no call could be ended by us.
    monitorPlan: { controlEnabled: true, controlAuthenticationEnabled: false, listenEnabled: false },
    transportConfigurations: [{ provider: 'twilio', timeout: RING_SECONDS, record: false }],
    ...(!campaign?.hasServer && { serverMessages: SERVER_MESSAGES }),
  }
}
