import { isOneLine } from '@heyline/kit/one-line'
import { z } from 'zod'

/** Most characters of a name, as on the hosted platform. */
const MOST = 40

/** The name of an assistant, a call or a token: people read it in lists and logs. */
export const resourceName = z.string().max(MOST).refine(isOneLine, {
  error: 'must be one line of text, without control characters and without marks that turn its direction',
})
