import { z } from 'zod'

/** GoTrue's newer form has a text as `code`; the older one a number, with the text in `error_code`. The gateway in front has a message alone. */
const body = z.object({
  code: z.union([z.string(), z.number()]).optional(),
  error_code: z.string().optional(),
  message: z.string().optional(),
  msg: z.string().optional(),
})

/** What the wire says of a token whose session is over. */
const ENDED = ['session_not_found', 'user_not_found', 'bad_jwt', 'no_authorization']

/** The auth wire refused, or could not be reached: then `status` is 0 and `code` is `unreachable`. */
export class AuthWireError extends Error {
  override readonly name = 'AuthWireError'
  readonly status: number
  /** GoTrue's own, e.g. `email_exists`. https://supabase.com/docs/guides/auth/debugging/error-codes */
  readonly code: string
  /** After how many seconds to ask again, where the wire says so. */
  readonly waitSeconds: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    { waitSeconds, ...options }: ErrorOptions & { waitSeconds?: number | undefined } = {},
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.waitSeconds = waitSeconds
  }

  /** The wire has decided: asked again, it says the same. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429
  }

  /** Whose token is not, or no longer, good. */
  get isRefusedToken(): boolean {
    return this.status === 401 || this.status === 403
  }

  /** The session of the token that was sent is over. */
  get isEndedSession(): boolean {
    return ENDED.includes(this.code)
  }

  /** Reads an answer that is none of success. */
  static async of(answer: Response): Promise<AuthWireError> {
    const parsed = body.safeParse(await answer.json().catch(() => undefined))
    const { code, error_code, message, msg } = parsed.data ?? {}
    return new AuthWireError(
      answer.status,
      error_code ?? (typeof code === 'string' ? code : 'unknown'),
      message ?? msg ?? `status ${answer.status}`,
      { waitSeconds: Number(answer.headers.get('retry-after')) || undefined },
    )
  }
}
