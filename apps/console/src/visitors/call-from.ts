import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type OwnNumber, useNumberList, wordOf } from '../numbers/use-numbers.js'
import { useOffice } from '../office/office.js'
import { EDITOR_TEXTS } from './texts.js'

/** Stands for no number of their own. Numbers stand for themselves by their ids. */
export const BY_DEFAULT = 'default'

/** One number that a visitor may be called from, as a list shows it. */
export interface CallFromChoice {
  value: string
  label: string
}

type Shown = Pick<OwnNumber, 'id' | 'number' | 'name' | 'isDefault'>

/**
 * What a visitor may be called from; nothing where there is no choice. `chosen` is their own number: it is among them also where the platform
 * has it no more, or no digits of it are known.
 */
export function callFromChoices(numbers: readonly Shown[], chosen: Shown | null): CallFromChoice[] {
  const dialled = numbers.filter(({ number }) => number !== null)
  const isOdd = chosen !== null && !dialled.some(({ id }) => id === chosen.id)
  if (dialled.length < 2 && !isOdd) return []
  const usual = numbers.find(({ isDefault }) => isDefault)
  return [
    { value: BY_DEFAULT, label: EDITOR_TEXTS.byDefault(usual && wordOf(usual)) },
    ...[...dialled, ...(isOdd ? [chosen] : [])].map((each) => ({
      value: each.id,
      label: [wordOf(each), each.name].filter(Boolean).join(' · '),
    })),
  ]
}

/** The number that calls a visitor. Without a slug it is one that is still to be added. */
export function useCallFrom(slug?: string) {
  const office = useOffice()
  const queries = useQueryClient()
  const { data: listed } = useNumberList()
  const { data: own } = useQuery({
    queryKey: ['numbers', 'of', slug],
    queryFn: () => office.numbers.assigned({ slug: slug ?? '' }),
    enabled: slug !== undefined,
  })
  const isKnown = listed !== undefined && (slug === undefined || own !== undefined)
  const chosen = own?.number ?? null
  return {
    /** The number's id, or `BY_DEFAULT`. */
    value: chosen?.id ?? BY_DEFAULT,
    choices: isKnown ? callFromChoices(listed.numbers, chosen) : [],
    /** Stores the choice. Rejects with what the server says. */
    async choose(visitor: string, value: string): Promise<void> {
      const number = listed?.numbers.find(({ id }) => id === value)?.number ?? null
      await office.numbers.assign({ slug: visitor, number })
      await queries.invalidateQueries({ queryKey: ['numbers'] })
    },
  }
}
