import type { Visitors } from '@heyline/backend'
import type { CallerIds } from '@heyline/call-desk'
import type { NumberBook } from '../numbers/number-book.js'
import { OperatorsError } from '../operators/operators-error.js'
import type { HandlersOf } from './handlers.js'

export interface NumberParts {
  book: NumberBook
  callerIds: CallerIds
  visitors: Pick<Visitors, 'show'>
}

/** The numbers that calls are made from, and whom each calls. */
export function numberHandlers({ book, callerIds, visitors }: NumberParts) {
  let counting: ReturnType<CallerIds['counts']> | undefined
  /** However many ask, they are counted for one at a time. */
  const counted = () => {
    counting ??= callerIds.counts().finally(() => {
      counting = undefined
    })
    return counting
  }
  return {
    async list() {
      const counts = await counted()
      return { numbers: (await book.list()).map((each) => ({ ...each, visitors: counts.get(each.id) ?? 0 })) }
    },
    add: (number) => book.add(number),
    setDefault: ({ id }) => book.setDefault(id),
    receive: ({ id, ...options }) => book.receive(id, options),
    async remove({ id }) {
      const removed = await book.remove(id)
      await callerIds.forget(id)
      return removed
    },
    async assigned({ slug: given }) {
      const { slug } = await visitors.show(given)
      const id = await callerIds.of(slug)
      if (id === null) return { slug, number: null }
      // One that a hosted platform has no more is still what a call would be asked for with.
      const gone = { id, number: null, name: null, assistantId: null, isDefault: false }
      return { slug, number: (await book.list()).find((each) => each.id === id) ?? gone }
    },
    async assign({ slug: given, number: wanted }) {
      const { slug } = await visitors.show(given)
      const number = wanted === null ? null : (await book.list()).find((each) => each.number === wanted)
      if (number === undefined)
        throw new OperatorsError('number_not_found', 'There is no such number: see heyline numbers list')
      const id = number?.id ?? null
      const isChanged = id !== (await callerIds.of(slug))
      if (isChanged) await callerIds.assign(slug, id)
      return { slug, number, isChanged }
    },
  } satisfies HandlersOf<'numbers'>
}
