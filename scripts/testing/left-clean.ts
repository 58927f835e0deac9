import { afterAll, vi } from 'vitest'

// Files share their process, so each leaves it as it was.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
