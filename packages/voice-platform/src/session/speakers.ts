import type { Clock } from '@heyline/kit/clock'
import type { Voice } from '../engines/engine.js'
import { Speaker } from './cast.js'
import type { Conversation } from './conversation.js'
import { pacedVoice } from './paced-voice.js'
import type { SessionOptions } from './session.js'
import type { NextSpeaker, SessionAssistant } from './session-assistant.js'

/** The assistant that a call begins with. */
export function firstSpeaker(options: SessionOptions, conversation: Conversation, clock: Clock): Speaker {
  const { assistant, assistantId: id, node, tools, engines } = options
  const voice = voiceOf(assistant, options, conversation, clock)
  return new Speaker({
    ...(node !== undefined && { node }),
    id,
    assistant,
    engines: { ...engines, voice },
    ...(tools && { tools }),
  })
}

/** One that takes over. What its engines work is counted as the first one's is. */
export function nextSpeaker(
  { id, node, assistant, model, tools }: NextSpeaker,
  options: SessionOptions,
  conversation: Conversation,
  clock: Clock,
): Speaker {
  const { engines, usage } = options
  const counted = usage?.of({ ...engines, model }).model ?? model
  const voice = voiceOf(assistant, options, conversation, clock)
  return new Speaker({
    ...{ id, assistant, engines: { ...engines, model: counted, voice } },
    ...(node !== undefined && { node }),
    ...(tools && { tools }),
  })
}

/** The assistant's own speaker, where the voice engine has several. */
function voiceOf(
  { voiceId }: SessionAssistant,
  { engines: { voice }, logger }: SessionOptions,
  conversation: Conversation,
  clock: Clock,
): Voice {
  if (voiceId === undefined || !voice.withSpeaker) return pacedVoice(voice, clock)
  const own = voice.withSpeaker(voiceId, () => {
    logger.warn({ voiceId }, 'the voice engine refuses the voice of the assistant; its default voice speaks')
    conversation.note(`The voice engine refused the voice ${voiceId}. Its default voice spoke.`, clock.now())
  })
  return pacedVoice(own, clock)
}
