import type { Clock } from '@heyline/kit/clock'
import type { AssistantPart } from './assistant-part.js'
import type { AssistantSpeech } from './assistant-speech.js'
import type { CallLink } from './call-link.js'
import type { CallerPart } from './caller-part.js'
import type { Cast, Speaker } from './cast.js'
import type { ClientEvents } from './client-events.js'
import type { Conversation } from './conversation.js'
import type { QuietWatch } from './quiet-watch.js'
import type { SessionOptions } from './session.js'
import type { HandoffTarget, NextSpeaker } from './session-assistant.js'
import { nextSpeaker } from './speakers.js'

export interface TakeOverOptions {
  link: CallLink
  session: SessionOptions
  cast: Cast
  conversation: Conversation
  events: ClientEvents
  speech: AssistantSpeech
  part: AssistantPart
  caller: CallerPart
  quiet: QuietWatch
  clock: Clock
}

/** Puts the next assistant in the place of the one that speaks, and lets it begin. */
export function takeOver(next: NextSpeaker, target: HandoffTarget, options: TakeOverOptions): void {
  const { link, session, cast, conversation, events, speech, part, caller, quiet, clock } = options
  const before = cast.now
  const speaker = nextSpeaker(next, session, conversation, clock)
  const time = clock.now()
  const { assistant, node } = speaker
  const from = before.assistant.name ?? 'the assistant'
  if (!target.isStep)
    conversation.note(`The call was handed from ${from} to ${assistant.name ?? target.name}.`, time)
  conversation.handOver(assistant.systemPrompt, target.history, time)
  cast.follow(speaker, time)
  link.office(assistant.backgroundSound === 'office')
  speech.handedOver()
  caller.handedOver()
  quiet.follow(assistant.silenceTimeoutSeconds * 1000)
  if (node !== undefined) {
    // So that the model does not take the caller's last words as said in this step.
    conversation.add({ role: 'system', text: `Keep to the step ${node} now.`, time })
    events.nodeStarted(node)
  } else tell(before, speaker, target, events)
  part.takeOver()
}

function tell(
  before: Speaker,
  { assistant, engines }: Speaker,
  { message }: HandoffTarget,
  events: ClientEvents,
): void {
  events.handoff(before.assistant, assistant, message)
  events.allow(assistant.clientMessages)
  events.assistantStarted(assistant, engines.voice.name)
}
