/** Status and text of every refusal of ours, under PostgREST's own codes. https://docs.postgrest.org/en/stable/references/errors.html */
const CATALOGUE = {
  PGRST003: { status: 504, message: 'Timed out acquiring connection from connection pool.' },
  PGRST100: { status: 400, message: 'The query string could not be parsed' },
  PGRST102: { status: 400, message: 'Empty or invalid json' },
  PGRST103: { status: 416, message: 'Requested range not satisfiable' },
  PGRST106: { status: 406, message: 'Invalid schema' },
  PGRST107: { status: 406, message: 'None of these media types are available' },
  PGRST116: { status: 406, message: 'Cannot coerce the result to a single JSON object' },
  PGRST117: { status: 405, message: 'Unsupported HTTP method' },
  PGRST122: { status: 400, message: 'Invalid preferences given with handling=strict' },
  PGRST124: { status: 400, message: 'Query result exceeds max-affected preference constraint' },
  PGRST125: { status: 404, message: 'Invalid path specified in request URL' },
  PGRST126: { status: 404, message: 'Root endpoint metadata is disabled' },
  PGRST127: { status: 400, message: 'Feature not implemented' },
  PGRST128: {
    status: 400,
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  },
  PGRST202: { status: 404, message: 'Could not find the function in the schema cache' },
  PGRST203: { status: 300, message: 'Could not choose the best candidate function' },
  PGRST204: { status: 400, message: 'Could not find the column in the schema cache' },
  PGRST205: { status: 404, message: 'Could not find the table in the schema cache' },
  PGRST301: { status: 401, message: 'No suitable key or wrong key type' },
  PGRST302: { status: 401, message: 'Anonymous access is disabled' },
  PGRST303: { status: 401, message: 'Parsing claims failed' },
  // SQLSTATEs that are known before Postgres is asked, or that mean something else here.
  '21000': { status: 400, message: 'A WHERE clause is required' },
  '42701': { status: 400, message: 'A column is there more than once' },
  '42703': { status: 400, message: 'The column does not exist' },
  '54000': { status: 400, message: 'program limit exceeded' },
  '54001': { status: 400, message: 'statement too complex' },
  '54011': { status: 400, message: 'too many columns' },
  '57014': { status: 400, message: 'canceling statement due to statement timeout' },
} satisfies Record<string, { status: number; message: string }>

export type RestErrorCode = keyof typeof CATALOGUE

export interface RestErrorFields {
  /** Instead of the catalogue's. */
  message?: string
  /** Instead of the catalogue's. */
  status?: number
  details?: string
  hint?: string
  headers?: Record<string, string>
  cause?: unknown
}

/** A request that is refused before, or instead of, what Postgres would say of it. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly code: RestErrorCode
  readonly status: number
  readonly details: string | null
  readonly hint: string | null
  readonly headers: Record<string, string>

  constructor(code: RestErrorCode, fields: RestErrorFields = {}) {
    const known = CATALOGUE[code]
    super(fields.message ?? known.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = code
    this.status = fields.status ?? known.status
    this.details = fields.details ?? null
    this.hint = fields.hint ?? null
    this.headers = fields.headers ?? {}
  }

  /** A part of the query string that does not read. `what` is its name ("filter"), `text` is what stood there. */
  static unreadable(what: string, text: string, details?: string): RestError {
    return new RestError('PGRST100', {
      message: `failed to parse ${what} (${text})`,
      ...(details && { details }),
    })
  }

  /** Something that PostgREST has and this wire has not. */
  static notServed(feature: string): RestError {
    const details = `${feature} is not served here`
    return new RestError('PGRST127', { message: `Feature not implemented: ${details}`, details })
  }
}
