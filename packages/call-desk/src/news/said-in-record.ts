import type { CallNews } from './call-news.js'

/** How a transcript begins what the person called said. It is looked at only where the record has no turns. */
const SAID_BY_USER = 'User: '

/** What the person called said, as the record of a call has it. */
export const saidInRecord = ({
  saidByUser,
  transcript = '',
}: Pick<CallNews, 'saidByUser' | 'transcript'>): readonly string[] =>
  saidByUser ??
  transcript
    .split('\n')
    .filter((line) => line.startsWith(SAID_BY_USER))
    .map((line) => line.slice(SAID_BY_USER.length))
