import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import { sayFailure } from '../office/say-failure.js'
import { toast } from '../ui/toast.js'
import { NUMBER_TEXTS as TEXTS } from './texts.js'

export type OwnNumber = Awaited<ReturnType<Office['numbers']['list']>>['numbers'][number]

const KEY = ['numbers']

/** How a number is named: a SIP address of a hosted platform has an id alone. */
export const wordOf = ({ number, id }: Pick<OwnNumber, 'number' | 'id'>): string => number ?? id

/** The numbers that calls are made from, the oldest first. */
export function useNumberList() {
  const office = useOffice()
  return useQuery({ queryKey: KEY, queryFn: () => office.numbers.list() })
}

/** The numbers that calls are made from, and what an owner does with them. */
export function useNumbers() {
  const office = useOffice()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<string>()
  const list = useNumberList()
  const freshen = () => queries.invalidateQueries({ queryKey: KEY })

  async function doing(id: string, work: () => Promise<string>): Promise<void> {
    setBusy(id)
    try {
      toast({ text: await work() })
    } catch (error) {
      sayFailure(error)
    } finally {
      await freshen()
      setBusy(undefined)
    }
  }
  return {
    list,
    /** The id of the number that something is being done with. */
    busy,
    setDefault: ({ id }: OwnNumber) =>
      doing(id, async () => TEXTS.madeDefault(wordOf(await office.numbers.setDefault({ id })))),
    remove: ({ id }: OwnNumber) =>
      doing(id, async () => TEXTS.removed(wordOf(await office.numbers.remove({ id })))),
    /** Rejects where it was refused: the form says why. */
    async add(number: string, name: string): Promise<void> {
      const added = await office.numbers.add({ number, ...(name !== '' && { name }) })
      toast({ text: TEXTS.added(wordOf(added)) })
      await freshen()
    },
  }
}
