import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import type { Role } from '../office/roles.js'
import { sayFailure } from '../office/say-failure.js'
import { useStepUp } from '../step-up/step-up-provider.js'
import { toast } from '../ui/toast.js'
import { API_KEY_TEXTS } from './texts.js'

export type ApiKey = Awaited<ReturnType<Office['apiKeys']['list']>>[number]
export type NewApiKey = Awaited<ReturnType<Office['apiKeys']['add']>>

const KEY = ['api-keys']

/** The operator's own keys, and what is done with them. */
export function useApiKeys() {
  const office = useOffice()
  const queries = useQueryClient()
  const withStepUp = useStepUp()
  const [shown, show] = useState<NewApiKey>()
  const [revoking, setRevoking] = useState<string>()
  const list = useQuery({ queryKey: KEY, queryFn: () => office.apiKeys.list() })
  const freshen = () => queries.invalidateQueries({ queryKey: KEY })

  async function revoke({ id, name }: ApiKey): Promise<void> {
    setRevoking(id)
    try {
      await office.apiKeys.revoke({ id })
      toast({ text: API_KEY_TEXTS.revoked(name) })
    } catch (error) {
      sayFailure(error)
    } finally {
      await freshen()
      setRevoking(undefined)
    }
  }
  return {
    list,
    /** A key that was made just now, with its secret. */
    shown,
    /** It is gone: only its owner has it now. */
    forget: () => show(undefined),
    /** Rejects where it was refused: the form says why. */
    async add(asked: { name: string; role: Role; days: number }): Promise<void> {
      show(await withStepUp(() => office.apiKeys.add(asked)))
      await freshen()
    },
    revoke,
    /** The id of the key that is being revoked. */
    revoking,
  }
}
