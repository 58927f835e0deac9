import type {
  AssistantOverrides,
  CreateAssistant,
  KeypadInputPlan,
  StartSpeakingPlan,
  StopSpeakingPlan,
} from '@heyline/platform-client'
import type { KeypadInput, SessionAssistant, StopSpeaking } from '../session/session.js'
import { MOST_FIRST_MESSAGE, MOST_PROMPT } from './assistant-schema.js'
import { endpointingRule } from './endpointing-rule.js'
import { templateFiller, type Variables } from './template.js'
import { sessionTools } from './tool-schema.js'

/** The platform's defaults. */
export const DEFAULTS = {
  maxTokens: 250,
  maxDurationSeconds: 600,
  silenceTimeoutSeconds: 30,
  keypadTimeoutSeconds: 2,
}

/**
 * An assistant with a call's overrides. A given setting replaces the assistant's whole setting. `model` is merged field by field, so that
 * an override with a model but no messages keeps the assistant's prompt. Credentials stay with the server that they came with.
 */
export function withOverrides(
  assistant: CreateAssistant,
  overrides: AssistantOverrides | undefined,
): CreateAssistant {
  if (!overrides) return assistant
  const { variableValues: _, ...settings } = overrides
  const merged = { ...withoutLostCredentials(assistant, settings), ...settings }
  if (assistant.model && settings.model) merged.model = { ...assistant.model, ...settings.model }
  return merged
}

/** Credentials sign for the assistant's own server. Whoever names another one brings others with it. */
function withoutLostCredentials(
  assistant: CreateAssistant,
  { server }: Pick<AssistantOverrides, 'server'>,
): CreateAssistant {
  const own = assistant.server?.url
  if (own === undefined || server?.url === undefined || server.url === own) return assistant
  const { credentials: _, ...rest } = assistant
  return rest
}

/** The settings of an assistant that a session uses, with the call's values in the texts. */
export function sessionAssistant(
  assistant: CreateAssistant,
  variables: Variables,
  toolSettings: readonly unknown[] = assistant.model?.tools ?? [],
): SessionAssistant {
  const { model, voice, firstMessageMode = 'assistant-speaks-first' } = assistant
  const systemPrompt = (model?.messages ?? [])
    .filter(({ role, content }) => role === 'system' && content)
    .map(({ content }) => content)
    .join('\n\n')
  const text = templateFiller(variables)
  const firstMessage = text(assistant.firstMessage ?? '', MOST_FIRST_MESSAGE)
  const endCallMessage = text(assistant.endCallMessage ?? '', MOST_FIRST_MESSAGE)
  const tools = sessionTools(toolSettings, (said) => text(said, MOST_FIRST_MESSAGE))
  const voicemailMessage = text(assistant.voicemailMessage ?? '', MOST_FIRST_MESSAGE)
  const { startSpeakingPlan: start, stopSpeakingPlan: stop, keypadInputPlan: keypad } = assistant
  return {
    ...(assistant.name !== undefined && { name: assistant.name }),
    ...(firstMessage && firstMessageMode === 'assistant-speaks-first' && { firstMessage }),
    ...(firstMessageMode === 'assistant-waits-for-user' && { waitsForCaller: true }),
    ...(firstMessageMode === 'assistant-speaks-first-with-model-generated-message' && {
      modelSpeaksFirst: true,
    }),
    ...(systemPrompt && { systemPrompt: text(systemPrompt, MOST_PROMPT) }),
    ...(model?.model !== undefined && { model: model.model }),
    ...(model?.temperature !== undefined && { temperature: model.temperature }),
    ...(tools.length > 0 && { tools }),
    ...(voice && 'voiceId' in voice && voice.voiceId && { voiceId: voice.voiceId }),
    maxTokens: model?.maxTokens ?? DEFAULTS.maxTokens,
    maxDurationSeconds: assistant.maxDurationSeconds ?? DEFAULTS.maxDurationSeconds,
    silenceTimeoutSeconds: assistant.silenceTimeoutSeconds ?? DEFAULTS.silenceTimeoutSeconds,
    firstMessageInterruptible: assistant.firstMessageInterruptionsEnabled ?? false,
    ...(start && { startSpeaking: startSpeaking(start) }),
    ...(stop && { stopSpeaking: stopSpeaking(stop) }),
    ...(assistant.backgroundSound === 'office' && { backgroundSound: 'office' }),
    ...(assistant.endCallPhrases && {
      endCallPhrases: assistant.endCallPhrases.map((phrase) => text(phrase, MOST_FIRST_MESSAGE)),
    }),
    ...(endCallMessage && { endCallMessage }),
    ...(voicemailMessage && { voicemailMessage }),
    ...(keypad?.enabled && { keypadInput: keypadInput(keypad) }),
    ...(assistant.clientMessages && { clientMessages: assistant.clientMessages }),
  }
}

const startSpeaking = (plan: StartSpeakingPlan) => ({
  ...(plan.waitSeconds !== undefined && { waitSeconds: plan.waitSeconds }),
  ...plan.transcriptionEndpointingPlan,
  ...(plan.customEndpointingRules && { rules: plan.customEndpointingRules.map(endpointingRule) }),
  ...(readsWords(plan) && { readsWords: true }),
})

/** `custom-endpointing-model` would ask a server of the developer's own, which is not served. */
const readsWords = ({ smartEndpointingPlan: plan, smartEndpointingEnabled: isEnabled }: StartSpeakingPlan) =>
  plan ? plan.provider === 'vapi' || plan.provider === 'livekit' : Boolean(isEnabled)

const stopSpeaking = (plan: StopSpeakingPlan): Partial<StopSpeaking> => ({
  ...(plan.numWords !== undefined && { numWords: plan.numWords }),
  ...(plan.voiceSeconds !== undefined && { voiceSeconds: plan.voiceSeconds }),
  ...(plan.backoffSeconds !== undefined && { backoffSeconds: plan.backoffSeconds }),
  ...(plan.acknowledgementPhrases && { acknowledgementPhrases: plan.acknowledgementPhrases }),
  ...(plan.interruptionPhrases && { interruptionPhrases: plan.interruptionPhrases }),
})

const keypadInput = ({ timeoutSeconds, delimiters = [] }: KeypadInputPlan): KeypadInput => ({
  timeoutSeconds: timeoutSeconds ?? DEFAULTS.keypadTimeoutSeconds,
  delimiters: [delimiters].flat().filter((key) => key !== ''),
})
