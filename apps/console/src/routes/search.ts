/** What is searched for is no longer than this, in characters. */
const LONGEST_TEXT = 200

const oneOf =
  <const Word extends string>(words: readonly Word[]) =>
  (said: unknown): Word | undefined =>
    words.find((word) => word === said)

const sort = oneOf(['name', 'slug', 'created'])
const order = oneOf(['asc', 'desc'])
const answer = oneOf(['yes', 'no'])
/** A name or a slug, never a number: addresses are logged. */
const text = (said: unknown) => (typeof said === 'string' && said.length <= LONGEST_TEXT ? said : undefined)
const page = (said: unknown) =>
  typeof said === 'number' && Number.isInteger(said) && said >= 1 ? said : undefined

export interface VisitorsSearch {
  text?: string
  sort?: 'name' | 'slug' | 'created'
  order?: 'asc' | 'desc'
  listed?: 'yes' | 'no'
  prompt?: 'yes' | 'no'
  page?: number
}

/** What an address says is read leniently: a value that makes no sense is as if it were not there. By hand: a first screen has no room for zod. */
export function visitorsSearch(said: Record<string, unknown>): VisitorsSearch {
  const read = {
    text: text(said.text),
    sort: sort(said.sort),
    order: order(said.order),
    listed: answer(said.listed),
    prompt: answer(said.prompt),
    page: page(said.page),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}
