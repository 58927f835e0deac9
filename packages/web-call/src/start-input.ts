import type { Call, CreateWebCall } from '@heyline/platform-client'
import type { StartContext } from './web-call-events.js'

/** Whom to call: one of the first three, as the id of a stored one or as the thing itself. */
export interface StartInput {
  assistant?: string | NonNullable<CreateWebCall['assistant']>
  squad?: string | NonNullable<CreateWebCall['squad']>
  workflow?: string | NonNullable<CreateWebCall['workflow']>
  assistantOverrides?: CreateWebCall['assistantOverrides']
  workflowOverrides?: CreateWebCall['workflowOverrides']
}

/**
 * A live call to join again: the platform's `Call`, or what is left of it. `webCallUrl` is a must, for a socket room the
 * client's `rejoinUrl` of then; recording and video follow `artifactPlan` and `assistant`, as at the start.
 */
export type RejoinableCall = Partial<Call>

/** Where a call can be joined; undefined where it does not say. */
export const roomAddress = (call: RejoinableCall | undefined): string | undefined =>
  typeof call?.webCallUrl === 'string' && call.webCallUrl ? call.webCallUrl : undefined

/** What is called, by what names it: the body that creates a call, or a call. */
export const startContext = (call: CreateWebCall | RejoinableCall, isMobile: boolean): StartContext => ({
  hasAssistant: Boolean(call.assistantId ?? call.assistant),
  hasSquad: Boolean(call.squadId ?? call.squad),
  hasWorkflow: Boolean(call.workflowId ?? call.workflow),
  isMobile,
})

/** The body of `POST /call/web`: a text goes as an id, an object inline (spec 5), an empty text not at all. */
export function webCallBody(input: StartInput): CreateWebCall {
  const { assistant, squad, workflow, assistantOverrides, workflowOverrides } = input
  return {
    ...(assistant && (typeof assistant === 'string' ? { assistantId: assistant } : { assistant })),
    ...(squad && (typeof squad === 'string' ? { squadId: squad } : { squad })),
    ...(workflow && (typeof workflow === 'string' ? { workflowId: workflow } : { workflow })),
    ...(assistantOverrides && { assistantOverrides }),
    ...(workflowOverrides && { workflowOverrides }),
  }
}

/** What a call brings besides sound, read from the platform's answer. */
export interface CallVideo {
  isVideoRecordingEnabled: boolean
  /** The assistant is seen: its voice is a video avatar's. */
  isVideoEnabled: boolean
}

export const callVideo = (call: RejoinableCall): CallVideo => ({
  isVideoRecordingEnabled: call.artifactPlan?.videoRecordingEnabled ?? false,
  isVideoEnabled: voiceProvider(call) === 'tavus',
})

/** The provider of the assistant's voice; `unknown` where the platform does not say. */
export function voiceProvider(call: RejoinableCall): string {
  return call.assistant?.voice?.provider ?? 'unknown'
}
