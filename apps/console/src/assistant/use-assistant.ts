import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Office, useOffice } from '../office/office.js'

export type Assistant = Awaited<ReturnType<Office['assistant']['show']>>

const KEY = ['assistant']
export const VERSIONS_KEY = [...KEY, 'versions']

/** The stored assistant, and what puts a changed one in its place. */
export function useAssistant() {
  const office = useOffice()
  const queries = useQueryClient()
  const query = useQuery({ queryKey: KEY, queryFn: () => office.assistant.show() })
  return {
    ...query,
    change: (changes: Partial<Assistant>) => {
      queries.setQueryData<Assistant>(KEY, (now) => now && { ...now, ...changes })
      void queries.invalidateQueries({ queryKey: VERSIONS_KEY })
    },
  }
}
