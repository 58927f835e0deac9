/**
 * What a campaign's call has failed with that was surely not placed because the carrier, its account or the way to it failed. The built-in
 * platform tells so of campaigns' calls alone (its code `lines_failed`).
 */
export const LINES_FAILED = 'platform_400_lines_failed'

/** In SQL: whether a row has failed so. */
export const hasFailedLines = (row: string): string =>
  `(${row}.state = 'failed' and split_part(coalesce(${row}.last_error, ''), ':', 1) = '${LINES_FAILED}')`

/** How long no customer of any campaign is asked for after that, in seconds: a fault must not go through a whole campaign. */
export const LINES_REST_SECONDS = 20
