import type { CallLog } from '@heyline/platform-client'
import type { CallRow } from '../calls/call-row.js'
import type { LogRow } from './log-entry.js'

type Line = Pick<CallLog, 'log' | 'level'> & { at: number }

/** Of a call's words: what of it is told as words, and under which name. */
const SPEAKERS = { user: 'User', bot: 'Assistant' } as const

const isFailure = (reason: string): boolean => /error|fail|fault/.test(reason)

/** How a call went on, the oldest line first: from its own record and the messages that told its server. */
export function callLogOf(row: CallRow, messages: readonly LogRow[]): CallLog[] {
  const lines: Line[] = [
    { at: row.created_at.getTime(), level: 'CHECKPOINT', log: `Created as ${row.type}.` },
    ...(row.started_at ? [{ at: row.started_at.getTime(), level: 'CHECKPOINT', log: 'In progress.' }] : []),
    ...row.messages.flatMap(said),
    ...(row.activations ?? []).map(({ assistantName, time }) => ({
      at: time,
      level: 'CHECKPOINT',
      log: `${assistantName} speaks.`,
    })),
    ...messages.map(told),
    ...(row.ended_at && row.ended_reason !== null
      ? [
          {
            at: row.ended_at.getTime(),
            level: isFailure(row.ended_reason) ? 'ERROR' : 'CHECKPOINT',
            log: `Ended: ${row.ended_reason}.`,
          },
        ]
      : []),
  ]
  return lines
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, level, log }) => ({
      callId: row.id,
      orgId: row.org_id,
      log,
      level,
      time: new Date(at).toISOString(),
    }))
}

function said(message: CallRow['messages'][number]): Line[] {
  const { role, time: at } = message
  if (role === 'user' || role === 'bot')
    return [{ at, level: 'LOG', log: `${SPEAKERS[role]}: ${message.message}` }]
  if (role === 'tool_calls') {
    const names = (message.toolCalls ?? []).map((call) => call.function.name).join(', ')
    return [{ at, level: 'INFO', log: `Tools used: ${names}.` }]
  }
  if (role === 'tool_call_result')
    return [{ at, level: 'INFO', log: `Tool answered: ${message.name ?? 'unnamed'}.` }]
  return [{ at, level: 'INFO', log: message.message }]
}

function told({ created_at, webhook_type, status, error }: LogRow): Line {
  const isTaken = error === null && status !== null && status < 400
  const why = error ?? (status === null ? 'no answer' : `status ${status}`)
  return {
    at: created_at.getTime(),
    level: isTaken ? 'INFO' : 'WARN',
    log: `Message ${webhook_type ?? ''} ${isTaken ? 'delivered' : `not delivered: ${why}`}.`,
  }
}
