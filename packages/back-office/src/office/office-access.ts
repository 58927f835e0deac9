import { isSameSecret } from '@heyline/kit/secret'
import type { Asked } from '../access/asked.js'
import type { Operator } from '../access/operator-access.js'
import type { Operation } from '../operations/operation.js'
import { OperatorsError } from '../operators/operators-error.js'
import { reaches } from '../operators/role.js'

/** How long what was entered counts as just entered, in ms. */
const FRESH_MS = 10 * 60_000

export interface OfficeAccessOptions {
  /** It opens everything. */
  secretKey: string
  /** Undefined: only the secret key opens anything. */
  operators: { enter(token: string): Promise<Operator> } | undefined
  /** The client's address, where it is known. */
  addressOf: (request: Request) => string | undefined
  clock: { now(): number }
}

/** Says who asks for an operation, or rejects with an `OperatorsError`. */
export class OfficeAccess {
  readonly #options: OfficeAccessOptions

  constructor(options: OfficeAccessOptions) {
    this.#options = options
  }

  async enter(request: Request, operation: Operation): Promise<Omit<Asked, 'left'>> {
    const { secretKey, addressOf, operators } = this.#options
    const address = addressOf(request)
    if (operation.role === 'anyone')
      return { request, operator: undefined, actor: { name: 'anyone', address } }
    const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (bearer !== undefined && isSameSecret(bearer, secretKey))
      return { request, operator: undefined, actor: { name: 'secret key', address } }
    // An access token is a JWT.
    if (!operators || bearer?.split('.').length !== 3) throw unauthorized()
    const operator = await operators.enter(bearer)
    this.#refuse(operator, operation)
    return { request, operator, actor: { name: operator.email, address } }
  }

  #refuse({ role, enteredAt }: Operator, operation: Operation): void {
    if (operation.role === 'secret-key')
      throw new OperatorsError('forbidden', 'No operator may do this: it needs the secret key')
    if (operation.role !== 'anyone' && !reaches(role, operation.role))
      throw new OperatorsError('forbidden', `This needs the role ${operation.role}, and yours is ${role}`)
    if (operation.stepUp && this.#options.clock.now() - enteredAt > FRESH_MS)
      throw new OperatorsError(
        'step_up_needed',
        'Confirm that it is you: enter a second factor, or your password where you have none, and ask again',
      )
  }
}

const unauthorized = () =>
  new OperatorsError(
    'unauthorized',
    'The secret key is needed (see heyline keys), or the access token of an operator',
  )
