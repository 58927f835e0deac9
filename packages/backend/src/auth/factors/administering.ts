import { notFound } from '../accounts/accounts.js'
import { audit } from '../audit/audit.js'
import { idOf } from '../wire/fields.js'
import type { AuthRequest, AuthRoutes } from '../wire/request.js'
import { factorOf, factorsOf } from './factor.js'
import type { FactorParts } from './parts.js'
import { removeFactor } from './unenrolling.js'

/** `/admin/users/{id}/factors`: what the secret key may do with somebody's factors, such as removing those of a phone that is lost. */
export function administering({ db, accounts, forService, clock }: FactorParts): AuthRoutes {
  async function list({ ids }: AuthRequest) {
    const userId = idOf(ids, 0, 'user_id')
    if (!(await accounts.byId(db, userId))) throw notFound()
    const factors = await factorsOf(db, userId)
    return {
      body: factors.map(({ id, friendly_name, factor_type, status, created_at, updated_at, phone }) => ({
        id,
        friendly_name,
        factor_type,
        status,
        created_at,
        updated_at,
        ...(phone && { phone }),
      })),
    }
  }

  async function remove({ ids, address }: AuthRequest) {
    const userId = idOf(ids, 0, 'user_id')
    const factorId = idOf(ids, 1, 'factor_id')
    const factor = await db.transaction(async (tx) => {
      if (!(await accounts.taken(tx, userId))) throw notFound()
      const found = await factorOf(tx, userId, factorId)
      await removeFactor(tx, { userId, factorId: found.id, at: new Date(clock.now()) })
      const traits = { user_id: userId, factor_id: found.id }
      await audit(tx, { action: 'factor_deleted', address, traits })
      return found
    })
    return { body: { id: factor.id } }
  }

  return forService({
    'GET /admin/users/{id}/factors': list,
    'DELETE /admin/users/{id}/factors/{factor}': remove,
  })
}
