import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { printSlowest } from './slowest.mjs'

/** At the end of a run of many files, prints which took longest. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 20) return
    printSlowest(
      modules.map((module) => ({ file: relative(process.cwd(), module.moduleId), ms: took(module) })),
    )
  }
}

/** Imports and hooks included, in ms. */
function took(module: TestModule): number {
  const { collectDuration, duration, setupDuration } = module.diagnostic()
  return collectDuration + duration + setupDuration
}
