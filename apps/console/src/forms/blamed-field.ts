import { createContext, useContext } from 'react'
import type { Failure } from '../wire/failure.js'

/** The last failure of the form around. */
export const BlamedField = createContext<Failure | undefined>(undefined)

/** What the form's last failure says of this field. */
export function useBlame(field: string): string | undefined {
  const failure = useContext(BlamedField)
  return failure?.field === field ? failure.text : undefined
}
