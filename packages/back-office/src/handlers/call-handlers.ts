import type { CallDesk, CallOffice, DeskStatus, OperatorDesk } from '@heyline/call-desk'
import { callRunning, parsePhoneNumber, RecordsError, refusalText } from '@heyline/call-desk'
import { eraseFromPlatform } from '@heyline/voice-platform'
import { isOwner, isViewer } from '../access/asked.js'
import { eventActor } from '../audit/event-actor.js'
import { callsCsv } from '../csv/calls-csv.js'
import { maskedRecord, maskedText } from '../masking/masked-numbers.js'
import type { HandlersOf } from './handlers.js'
import type { PlatformTurns } from './platform-turns.js'
import { type Follower, Streams } from './streams.js'

export interface CallParts {
  calls: CallOffice
  /** The same, of whom the timeline's events name as the one who did it. */
  callsAs: (actor: string) => CallOffice
  desk: OperatorDesk
  /** Places phone calls; undefined where this server has no call desk. */
  again: CallDesk['again'] | undefined
  inTurn: PlatformTurns
}

export function callHandlers({ calls, callsAs, desk, again, inTurn }: CallParts): HandlersOf<'calls'> {
  return {
    list: (query) => calls.list(query),
    search: ({ limit, after, ...filter }) => desk.search(filter, { limit, after }),
    ofNumber: ({ number, limit, after }) => desk.search({ phone: e164Of(number) }, { limit, after }),
    show: async ({ id }, asked) => {
      const stored = await calls.show(id)
      const record = { ...stored, refusalText: refusalText(stored.refusal) }
      return isViewer(asked) ? maskedRecord(record) : record
    },
    transcript: async ({ id }, asked) => {
      const words = await inTurn(asked, () => desk.words(id))
      if (!isViewer(asked)) return words
      return { ...words, lines: words.lines.map(masked) }
    },
    recording: async ({ id }, asked) => {
      const recorded = await inTurn(asked, () => desk.recording(id))
      return isViewer(asked) ? { ...recorded, lines: recorded.lines.map(masked) } : recorded
    },
    end: ({ id }) => desk.end(id),
    again: async ({ id, key }, asked) => {
      if (!again) throw new RecordsError('desk_off', 'This server has no call desk: see CALL_WEBHOOK_URL')
      return again({ id, key, address: asked.actor.address, actor: eventActor(asked) })
    },
    remove: async ({ id }) => {
      let platformRecord: 'removed' | 'hosted' | 'none' = 'none'
      const removed = await desk.remove(id, async (tx, { platformCallId }) => {
        if (platformCallId === null) return
        const erased = await eraseFromPlatform(tx, { callIds: [platformCallId] })
        if (erased.running) throw callRunning()
        platformRecord = erased.erased.length > 0 ? 'removed' : 'hosted'
      })
      return { id: removed.id, platformRecord }
    },
    export: () => calls.export(),
    exportCsv: async ({ safe, ...filter }) => callsCsv(desk.export(filter), { safe: safe === 'true' }),
    follow: following(calls),
    status: async (_, asked) => shownStatus(await calls.status(), asked),
    pause: async (_, asked) => shownStatus(await callsAs(eventActor(asked)).pause(), asked),
    resume: async (_, asked) => shownStatus(await callsAs(eventActor(asked)).resume(), asked),
    resetSlug: ({ slug }) => calls.resetSlug(slug),
  }
}

/** A line as a viewer sees it. */
const masked = <Line extends { text: string }>(line: Line): Line => ({ ...line, text: maskedText(line.text) })

/** What the desk does, with its audit only for whoever may read that. */
export const shownStatus = <Status extends Pick<DeskStatus, 'audit'>>(
  status: Status,
  asked: Parameters<typeof isOwner>[0],
): Status => (isOwner(asked) ? status : { ...status, audit: [] })

/** Follows the calls, so many at a time: see `Streams`. */
export function following(calls: Pick<CallOffice, 'follow'>) {
  const streams = new Streams(
    'Too many follow the calls already: end some of them (heyline calls tail), or ask again later',
  )
  return (_: unknown, follower: Follower) => streams.open(follower, () => calls.follow(follower.left))
}

/** No error holds a number. */
function e164Of(text: string): string {
  const number = parsePhoneNumber(text)
  if (number) return number.e164
  throw new RecordsError(
    'invalid_phone',
    'This is no valid international number: write it with + and its country code, without an extension',
  )
}
