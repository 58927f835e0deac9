import type { CallChange } from '@heyline/call-desk'
import type { Json } from '../options/json-option.js'
import { withCalls } from '../place/calls-place.js'
import { tail } from '../place/tail.js'
import type { CommandContext } from '../terminal/terminal.js'
import { harmless, shortId, timeText } from '../terminal/terminal-text.js'
import { costText, durationText, outcomeText, placeText, stateText } from './call-text.js'

/** `heyline calls tail`: a line for each change of a state. */
export const tailCalls = (context: CommandContext, options: Json): Promise<void> =>
  tail(context, options, {
    what: 'calls',
    unreachable: 'calls_unreachable',
    reach: withCalls,
    follow: (calls, signal) => calls.follow(signal),
    lineOf,
  })

function lineOf(change: CallChange): string {
  const { at, id, slug, outcome, seconds } = change
  const end = outcome === null ? [] : [outcomeText(change), durationText(seconds), costText(change)]
  return [
    timeText(at),
    shortId(id),
    stateText(change).padEnd(11),
    harmless(slug) || '-',
    placeText(change),
    ...end,
  ].join('  ')
}
