/**
 * The browser call as its button shows it (spec 4). `attempt` counts presses that began a call; `outcome` is
 * that of the latest one once it is over: `failed` if it never became a conversation.
 */
export interface CallButton {
  phase: 'idle' | 'connecting' | 'in-call'
  attempt: number
  outcome?: 'ended' | 'failed'
}

/** What can happen to the button. `started` and `ended` name the attempt they belong to. */
export type CallButtonEvent =
  | { type: 'pressed' }
  | { type: 'started'; attempt: number }
  | { type: 'ended'; attempt: number }

export const IDLE_BUTTON: CallButton = { phase: 'idle', attempt: 0 }

/**
 * idle → connecting → in-call → idle. A press while connecting is ignored, a press in a call waits for the call's end,
 * and what an older attempt reports changes nothing.
 */
export function nextCallButton(button: CallButton, event: CallButtonEvent): CallButton {
  if (event.type === 'pressed')
    return button.phase === 'idle' ? { phase: 'connecting', attempt: button.attempt + 1 } : button
  const { phase, attempt } = button
  if (event.attempt !== attempt || phase === 'idle') return button
  if (event.type === 'started') return { phase: 'in-call', attempt }
  return { phase: 'idle', attempt, outcome: phase === 'in-call' ? 'ended' : 'failed' }
}
