import { systemClock } from '@heyline/kit/clock'
import { useEffect, useState } from 'react'

/** The value as it was when it last stood still for so many ms. */
export function useQuietValue<Value>(value: Value, quietMs: number): Value {
  const [quiet, setQuiet] = useState(value)
  useEffect(() => systemClock.after(quietMs, () => setQuiet(value)), [value, quietMs])
  return quiet
}
