import type { Hono } from 'hono'
import { ApiError } from '../resources/api-error.js'
import type { Doorkeeper } from './access.js'

type Refusal = readonly [method: 'POST', path: string, needs: string]

/** What this platform cannot do by itself, and what each needs. */
const REFUSED: readonly Refusal[] = [
  ['POST', '/voice-library/create-sesame-voice', 'the hosted platform: Sesame documents no API for it'],
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
