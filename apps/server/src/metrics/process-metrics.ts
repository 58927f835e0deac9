import { collectDefaultMetrics, Registry } from 'prom-client'

let registry: Registry | undefined

/** What prom-client measures of a process: CPU, memory, event loop lag, garbage collection, open files. One for each process, as is what it watches. */
export function processMetrics(): Registry {
  if (!registry) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry
}
