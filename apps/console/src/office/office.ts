import type { OfficeClient } from '@heyline/back-office/client'
import { createContext, useContext } from 'react'

/** What the screens ask and the API does not describe yet. It goes when its operation comes. */
export interface NotDescribedYet {
  visitors: {
    search(asked: VisitorSearch): Promise<{ visitors: { slug: string; name: string }[]; total: number }>
  }
}

export interface VisitorSearch {
  /** A part of the name or of the slug; empty: all. */
  text: string
  limit: number
  offset?: number
  sort?: 'name' | 'slug'
  order?: 'asc' | 'desc'
}

/** The operators' API. Every call rejects with an error that has a `code` and a `message` to show. */
export type Office = OfficeClient & NotDescribedYet

const OfficeContext = createContext<Office | undefined>(undefined)
export const OfficeProvider = OfficeContext.Provider

export function useOffice(): Office {
  const office = useContext(OfficeContext)
  if (!office) throw new Error('No operators’ API here: put the component inside of an OfficeProvider')
  return office
}
