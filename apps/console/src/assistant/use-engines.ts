import { useQuery } from '@tanstack/react-query'
import { useOffice } from '../office/office.js'

/** What hears, thinks and speaks, and whose platform it is. */
export function useEngines() {
  const office = useOffice()
  return useQuery({ queryKey: ['assistant', 'engines'], queryFn: () => office.assistant.engines() })
}
