import type { AuthRoutes } from '../wire/request.js'
import { administering } from './administering.js'
import { challenging } from './challenging.js'
import { enrolling } from './enrolling.js'
import type { FactorParts } from './parts.js'
import { recoveryCodes } from './recovery.js'
import { unenrolling } from './unenrolling.js'
import { verifying } from './verifying.js'

/** Second factors, as `supabase.auth.mfa` and `auth.admin.mfa` ask for them, and recovery codes. */
export const factorRoutes = (parts: FactorParts): AuthRoutes => ({
  'POST /factors/{id}/challenge': challenging(parts),
  ...parts.sessionTurns.routes({
    'POST /factors': enrolling(parts),
    'POST /factors/{id}/verify': verifying(parts),
    'DELETE /factors/{id}': unenrolling(parts),
    'POST /recovery_codes': recoveryCodes(parts),
  }),
  ...administering(parts),
})
