import type { Office } from '../office/office.js'

/** A visitor of the list. */
export type VisitorLine = Awaited<ReturnType<Office['visitors']['search']>>['visitors'][number]
