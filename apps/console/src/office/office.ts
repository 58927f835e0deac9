import type { OfficeClient } from '@heyline/back-office/client'
import { createContext, useContext } from 'react'

/** The operators' API. Every call rejects with an error that has a `code` and a `message` to show. */
export type Office = OfficeClient

const OfficeContext = createContext<Office | undefined>(undefined)
export const OfficeProvider = OfficeContext.Provider

export function useOffice(): Office {
  const office = useContext(OfficeContext)
  if (!office) throw new Error('No operators’ API here: put the component inside of an OfficeProvider')
  return office
}
