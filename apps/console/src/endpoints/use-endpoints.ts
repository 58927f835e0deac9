import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import { sayFailure } from '../office/say-failure.js'
import { useStepUp } from '../step-up/step-up-provider.js'
import { toast } from '../ui/toast.js'
import { ENDPOINT_TEXTS } from './texts.js'

export type Endpoint = Awaited<ReturnType<Office['endpoints']['list']>>[number]
export type NewEndpoint = Parameters<Office['endpoints']['add']>[0]
export type EndpointChange = Omit<Parameters<Office['endpoints']['update']>[0], 'id'>

/** A secret that was made just now. */
export interface ShownSecret {
  secret: string
  isRotated: boolean
}

export const ENDPOINTS_KEY = ['endpoints']
const LIST_KEY = [...ENDPOINTS_KEY, 'list']
/** How often the counts are asked for, in ms: deliveries tell nobody. */
const ANEW_MS = 10_000

/** Whom to tell what happens, and what an owner does with them. */
export function useEndpoints() {
  const office = useOffice()
  const queries = useQueryClient()
  const withStepUp = useStepUp()
  const [shown, show] = useState<ShownSecret>()
  const list = useQuery({
    queryKey: LIST_KEY,
    queryFn: () => office.endpoints.list(),
    refetchInterval: ANEW_MS,
  })

  async function doing<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await withStepUp(work)
    } finally {
      await queries.invalidateQueries({ queryKey: ENDPOINTS_KEY })
    }
  }
  const showOf = (secret: string | null, isRotated: boolean) => {
    if (secret !== null) show({ secret, isRotated })
  }
  return {
    list,
    shown,
    /** It is gone: only its owner has it now. */
    forget: () => show(undefined),
    /** Rejects where it was refused: the form says why. */
    async add(wanted: NewEndpoint): Promise<void> {
      const { name, secret } = await doing(() => office.endpoints.add(wanted))
      toast({ text: ENDPOINT_TEXTS.added(name) })
      showOf(secret, false)
    },
    /** Rejects where it was refused: the form says why. */
    async update(id: string, change: EndpointChange): Promise<void> {
      const { name } = await doing(() => office.endpoints.update({ id, ...change }))
      toast({ text: ENDPOINT_TEXTS.saved(name) })
    },
    enable: ({ id }: Endpoint, isEnabled: boolean) =>
      doing(() => office.endpoints.update({ id, isEnabled })).catch(sayFailure),
    rotate: ({ id }: Endpoint) =>
      doing(() => office.endpoints.rotate({ id })).then(({ secret }) => showOf(secret, true), sayFailure),
    remove: ({ id, name }: Endpoint) =>
      doing(() => office.endpoints.remove({ id })).then(
        () => toast({ text: ENDPOINT_TEXTS.removed(name) }),
        sayFailure,
      ),
  }
}

export type EndpointsInUse = ReturnType<typeof useEndpoints>
