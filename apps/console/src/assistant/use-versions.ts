import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Office, useOffice } from '../office/office.js'
import { codeOf } from '../office/refusal.js'
import { sayFailure } from '../office/say-failure.js'
import { toast } from '../ui/toast.js'
import { ASSISTANT_TEXTS, VERSION_TEXTS as TEXTS } from './texts.js'
import { type Assistant, VERSIONS_KEY } from './use-assistant.js'

export type Version = Awaited<ReturnType<Office['assistant']['versions']>>['versions'][number]
export type Difference = Awaited<ReturnType<Office['assistant']['version']>>['restores'][number]

/** What the assistant was, and the way back. `restored` gets what it is then. */
export function useVersions(restored: (assistant: Assistant) => void) {
  const office = useOffice()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<string>()
  const list = useQuery({
    queryKey: VERSIONS_KEY,
    queryFn: () => office.assistant.versions(),
    retry: (tried, error) => codeOf(error) !== 'not_supported' && tried < 3,
  })

  async function goTo(version: string) {
    const answer = await office.assistant.restore({ version })
    if (answer.changed.length > 0) restored(answer.assistant)
    await queries.invalidateQueries({ queryKey: VERSIONS_KEY })
    return answer
  }
  async function restore({ version }: Version): Promise<void> {
    setBusy(version)
    try {
      const { changed, before } = await goTo(version)
      if (changed.length === 0) toast({ about: 'assistant', text: ASSISTANT_TEXTS.nothingNew })
      else toast({ about: 'assistant', text: TEXTS.restored(version), undo: () => goTo(before) })
    } catch (error) {
      sayFailure(error)
    } finally {
      setBusy(undefined)
    }
  }
  return { list, restore, busy }
}

/** What one version changed, and what a restore of it would. It stays as it was, but what is now does not. */
export function useVersion(version: string) {
  const office = useOffice()
  return useQuery({
    queryKey: [...VERSIONS_KEY, version],
    queryFn: () => office.assistant.version({ version }),
  })
}
