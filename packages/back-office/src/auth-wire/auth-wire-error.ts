import { z } from 'zod'

/** GoTrue's newer form has a text as `code`; the older one a number, with the text in `error_code`. The gateway in front has a message alone. */
const body = z.object({
  code: z.union([z.string(), z.number()]).optional(),
  error_code: z.string().optional(),
  message: z.string().optional(),
  msg: z.string().optional(),
})

/** The auth wire refused, or could not be reached: then `status` is 0 and `code` is `unreachable`. */
export class AuthWireError extends Error {
  override readonly name = 'AuthWireError'
  readonly status: number
  /** GoTrue's own, e.g. `email_exists`. https://supabase.com/docs/guides/auth/debugging/error-codes */
  readonly code: string

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }

  /** Whose token is not, or no longer, good. */
  get isRefusedToken(): boolean {
    return this.status === 401 || this.status === 403
  }

  /** Reads an answer that is none of success. */
  static async of(answer: Response): Promise<AuthWireError> {
    const parsed = body.safeParse(await answer.json().catch(() => undefined))
    const { code, error_code, message, msg } = parsed.data ?? {}
    return new AuthWireError(
      answer.status,
      error_code ?? (typeof code === 'string' ? code : 'unknown'),
      message ?? msg ?? `status ${answer.status}`,
    )
  }
}
