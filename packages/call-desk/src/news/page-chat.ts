/** Why a chat of a page ended: its first answer came, or no model has worked for it. The desk says so; no platform does. */
export const PAGE_CHAT_ENDED = 'chat-answered'
export const PAGE_CHAT_TAKEN_BACK = 'chat-not-answered'

/** In SQL: whether a browser call is a chat of a page. */
export const isPageChat = (row: string): string =>
  `coalesce(${row}.kind = 'web' and ${row}.ended_reason in ('${PAGE_CHAT_ENDED}', '${PAGE_CHAT_TAKEN_BACK}'), false)`
