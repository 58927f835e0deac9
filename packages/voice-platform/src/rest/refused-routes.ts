import type { Hono } from 'hono'
import { ApiError } from '../resources/api-error.js'
import type { Doorkeeper } from './access.js'

type Refusal = readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, needs: string]

const CONSENT = 'the hosted platform, which asks the provider’s users for consent'
const RUNS = 'the hosted platform: test suites are stored here, and not run'
const CAMPAIGNS = 'the hosted platform: a campaign would be kept here, and never begin'

/** What this platform cannot do by itself, and what each needs. */
const REFUSED: readonly Refusal[] = [
  ['POST', '/voice-library/create-sesame-voice', 'the hosted platform: Sesame documents no API for it'],
  ['POST', '/credential/session', CONSENT],
  ['POST', '/credential/trigger', CONSENT],
  ...(['GET', 'POST'] as const).map((method): Refusal => [method, '/campaign', CAMPAIGNS]),
  ['GET', '/campaign/paginated', CAMPAIGNS],
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method): Refusal => [method, '/campaign/:id', CAMPAIGNS]),
  ['GET', '/test-suite/:testSuiteId/run', RUNS],
  ['POST', '/test-suite/:testSuiteId/run', RUNS],
  ['GET', '/test-suite/:testSuiteId/run/:id', RUNS],
  ['PATCH', '/test-suite/:testSuiteId/run/:id', RUNS],
  ['DELETE', '/test-suite/:testSuiteId/run/:id', RUNS],
]

/** Answers 422 and says what is needed, to whoever has the private key. */
export function serveRefusals(app: Hono, doorkeeper: Doorkeeper): void {
  for (const [method, path, needs] of REFUSED)
    app.on(method, path, async (context) => {
      await doorkeeper.admit(context.req.raw, 'private')
      throw ApiError.notServed(
        `${method} ${context.req.path} is not served by the built-in voice platform: it needs ${needs}.`,
      )
    })
}
