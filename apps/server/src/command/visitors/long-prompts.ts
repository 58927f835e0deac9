import { MOST_PUBLIC_PROMPT } from '@heyline/voice-platform/settings'
import type { CommandContext } from '../terminal/terminal.js'

/** Whether a prompt is too long for a call that the page itself starts on the built-in platform. */
export const isLongPrompt = (system: string | null | undefined): boolean =>
  (system?.length ?? 0) > MOST_PUBLIC_PROMPT

/** Says on standard error, while the page itself starts the calls there, that so many of the prompts are too long. */
export function warnOfLongPrompts({ settings, terminal }: CommandContext, long: number) {
  if (long === 0 || settings.webCalls !== 'direct' || settings.platform) return
  terminal.error(
    `heyline: ${long === 1 ? 'a prompt is' : `${long} prompts are`} longer than ${MOST_PUBLIC_PROMPT} characters: 'Test in Browser' does not begin there while WEB_CALLS=direct. Shorten the text, or set WEB_CALLS=minted`,
  )
}
