import { HIDE_TEXTS } from '../ends/shown-texts.js'
import type { HostedBackend } from '../settings/settings.js'
import { shownUrl } from '../settings/shown-url.js'
import type { WebCalls } from '../settings/web-calls.js'
import { ask, askLeave, field, givesLeave, type Said } from './ask.js'
import { type Finding, fail, ok, warn } from './finding.js'

const TEXTS = 'system,first_message'
const COLUMNS = `slug,name,${TEXTS}`
/** What pages read where the server makes their calls. */
const PAGE_COLUMNS = 'slug,name'

export interface BackendCheckOptions {
  backend: HostedBackend
  visitorHeader: boolean
  webCalls: WebCalls
  /** Where browsers come from. */
  origin: string
}

/** The hosted backend: reachable with both keys, with the table that pages read, and no list of prospects for everybody. */
export async function checkBackend({
  backend,
  visitorHeader,
  webCalls,
  origin,
}: BackendCheckOptions): Promise<Finding[]> {
  const table = `${backend.url}/rest/v1/visitors`
  const read = (key: string, columns = COLUMNS) =>
    ask(`${table}?select=${columns}&limit=1`, {
      headers: { apikey: key, authorization: `Bearer ${key}`, prefer: 'count=exact' },
    })
  const minted = webCalls === 'minted'
  const columns = minted ? PAGE_COLUMNS : COLUMNS
  const open = await read(backend.publishableKey, columns)
  const found = tableFinding(backend.url, open, 'SUPABASE_PUBLISHABLE_KEY', columns)
  if (!open || found.status !== 'ok') return [found]
  const headers = ['apikey', 'authorization', ...(visitorHeader ? ['x-visitor-slug'] : [])].join(',')
  const leave = await askLeave(table, origin, 'GET', headers)
  const secret = backend.secretKey ? await read(backend.secretKey) : undefined
  return [
    found,
    ...(minted ? [textsFinding(await read(backend.publishableKey, TEXTS))] : []),
    listFinding(countOf(open), secret && countOf(secret)),
    leave && givesLeave(leave, origin, headers)
      ? ok('SUPABASE_URL', `lets pages of ${origin} read`)
      : fail(
          'SUPABASE_URL',
          `does not let pages of ${origin} send ${headers}`,
          visitorHeader ? 'set VISITOR_HEADER=off' : 'allow it there',
        ),
    backend.secretKey
      ? tableFinding(backend.url, secret, 'SUPABASE_SECRET_KEY', COLUMNS)
      : warn(
          'SUPABASE_SECRET_KEY',
          'is not set',
          'set it if heyline visitors and heyline operators should work there',
        ),
  ]
}

function tableFinding(url: string, said: Said | undefined, key: string, columns: string): Finding {
  if (!said)
    return fail('SUPABASE_URL', `${shownUrl(url)} can't be reached`, 'check the address and the network')
  if (said.status < 300) return ok(key, `reads ${columns.replaceAll(',', ', ')} of table visitors`)
  const code = String(field(said.body, 'code') ?? '')
  const message = String(field(said.body, 'message') ?? `status ${said.status}`)
  if (code === '42703')
    return fail('SUPABASE_URL', `table visitors lacks a column: ${message}`, `give it ${COLUMNS}`)
  if (code === '42P01' || code === 'PGRST205')
    return fail('SUPABASE_URL', `there is no table visitors: ${message}`, `make it, with ${COLUMNS}`)
  if (said.status === 401 || said.status === 403)
    return fail(
      key,
      `is refused: ${message}`,
      'copy the key of this project, and grant it select on visitors',
    )
  return fail('SUPABASE_URL', `answers ${said.status}: ${message}`, "see the project's log")
}

/** Minted calls keep the assistant's texts on the server: the key of the pages should not read them. */
const textsFinding = (said: Said | undefined): Finding =>
  said && said.status < 300
    ? warn('visitors', 'show system and first_message to the public key, which is in every page', HIDE_TEXTS)
    : ok('visitors', 'do not show system and first_message to the public key')

/** Without a slug in the header nobody but the operator should see more than a few. */
function listFinding(open: number, all: number | undefined): Finding {
  const list = all === undefined ? open > 0 : open > 1 && open >= all
  return list
    ? warn(
        'visitors',
        `the public key, which is in every page, lists ${open} of them with their prompts`,
        'let Row Level Security show a request only the row that its header x-visitor-slug names (see supabase/migrations)',
      )
    : ok('visitors', 'are not listed for everybody')
}

/** Of `Content-Range: 0-0/12`. */
const countOf = ({ headers }: Said) => Number(headers.get('content-range')?.split('/')[1]) || 0
