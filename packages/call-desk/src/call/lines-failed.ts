/**
 * What a campaign's call has failed with that was surely not placed because the carrier, its account or the way to it failed. The built-in
 * platform tells so of campaigns' calls alone (its code `lines_failed`).
 */
export const LINES_FAILED = 'platform_400_lines_failed'

/**
 * The platform's reason for a call of which nothing at all was heard from the SIP trunk: it is down, or no way leads there and back. In the
 * second case a phone may have rung, so that the call has a record. It counts in the limits of its number, as each try does.
 */
export const UNHEARD = 'call.in-progress.error-sip-outbound-call-failed-to-connect'

/** In SQL: whether a row's call has ended so. */
export const wasUnheard = (row: string): string =>
  `(${row}.state = 'ended' and coalesce(${row}.ended_reason, '') = '${UNHEARD}')`

/** In SQL: whether a row was surely not placed, through a fault of the lines. */
export const wasRefusedByLines = (row: string): string =>
  `(${row}.state = 'failed' and split_part(coalesce(${row}.last_error, ''), ':', 1) = '${LINES_FAILED}')`

/** In SQL: whether the lines have failed a row, and not whom it was for. */
export const hasFailedLines = (row: string): string => `(${wasRefusedByLines(row)} or ${wasUnheard(row)})`

/** How long no customer of any campaign is asked for after such a call was asked for, in seconds: a fault must not go through a whole campaign. */
export const LINES_REST_SECONDS = 20
