import type { Office } from '../office/office.js'
import { BUG_WORDS, CATEGORY_WORDS, TICKETS_TEXTS } from './texts.js'

export type TicketLine = Awaited<ReturnType<Office['tickets']['list']>>['tickets'][number]
export type Ticket = Awaited<ReturnType<Office['tickets']['show']>>

/** What a ticket is about, in a word or two. */
export const categoryWords = ({ category }: Pick<TicketLine, 'category'>): string =>
  CATEGORY_WORDS[category] ?? category

/** Which part a bug is about; null where nobody said. */
export const aboutWords = ({ bugSubcategory }: Pick<TicketLine, 'bugSubcategory'>): string | null =>
  bugSubcategory && (BUG_WORDS[bugSubcategory] ?? bugSubcategory)

/** Who wrote it, as far as that is known. */
export const writerWords = ({ writtenBy }: Pick<TicketLine, 'writtenBy'>): string =>
  writtenBy ?? TICKETS_TEXTS.somebody

/** What names it: a subject of blanks alone would leave nothing to press. */
export const subjectWords = ({ subject, ...line }: Pick<TicketLine, 'subject' | 'category'>): string =>
  subject.trim() || categoryWords(line)
