import { useCallback, useEffect, useState } from 'react'

/** What was loaded when the component appeared, and loads it again. Undefined until then. */
export function useLoaded<Value>(load: () => Promise<Value>): [Value | undefined, () => Promise<void>] {
  const [value, setValue] = useState<Value>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawing brings a new function that loads the same
  const reload = useCallback(async () => setValue(await load()), [])
  useEffect(() => void reload(), [reload])
  return [value, reload]
}
