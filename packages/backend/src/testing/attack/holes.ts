import { KEYS } from '../keys.js'
import type { Aim, Prey } from './probe.js'

/** A weakness that probes of one aim must notice: in the setting, in the database, or in front of the backend. */
export type Hole =
  | { open: true }
  /** What tears it, and what mends it. */
  | { tear: string; mend: string }
  | { pass: (request: Request, prey: Prey) => Request }

/** The same request by the service, with another address or method where one is named. */
function asService(request: Request, { url = request.url, method = request.method } = {}): Request {
  const headers = new Headers(request.headers)
  for (const name of ['authorization', 'accept-profile', 'content-profile', 'accept']) headers.delete(name)
  headers.set('apikey', KEYS.secret)
  return new Request(url, { method, headers })
}

const opens: Hole = { open: true }

export const HOLES: Record<Aim, Hole> = {
  list: opens,
  count: opens,
  search: opens,
  order: opens,
  page: opens,
  select: opens,
  tree: opens,
  error: opens,
  table: { tear: 'grant select on public.ledger to anon', mend: 'revoke select on public.ledger from anon' },
  schema: {
    pass: (request) => (request.headers.has('accept-profile') ? asService(request) : request),
  },
  function: {
    tear: 'grant execute on function public.whisper() to anon',
    mend: 'revoke execute on function public.whisper() from anon',
  },
  embed: {
    pass: (request) => {
      const url = request.url.replace(/select=slug,\w+\(\*\)/, 'select=*')
      return url === request.url ? request : asService(request, { url })
    },
  },
  metadata: {
    pass: (request) => {
      const url = request.url.replace(/\/rest\/v1\/$/, '/rest/v1/visitors')
      return url === request.url ? request : asService(request, { url })
    },
  },
  'slug header': {
    pass: (request, { slug }) => {
      if (!request.headers.get('x-visitor-slug')?.includes(slug)) return request
      const headers = new Headers(request.headers)
      headers.set('x-visitor-slug', slug)
      return new Request(request.url, { headers })
    },
  },
  header: {
    pass: (request) => (request.headers.get('role') === 'service_role' ? asService(request) : request),
  },
  token: {
    pass: (request) => {
      const [, claims = ''] = request.headers.get('authorization')?.split('.') ?? []
      const believed = Buffer.from(claims, 'base64url').toString().includes('service_role')
      return believed ? asService(request) : request
    },
  },
  encoding: {
    pass: (request) =>
      /%00$/.test(request.url) ? asService(request, { url: request.url.slice(0, -3) }) : request,
  },
  method: {
    pass: (request) => (request.method === 'REPORT' ? asService(request, { method: 'GET' }) : request),
  },
  write: {
    tear: `grant insert on public.visitors to anon;
      create policy hole on public.visitors for insert to anon with check (true)`,
    mend: "revoke insert on public.visitors from anon; drop policy hole on public.visitors; delete from public.visitors where slug = 'mine'",
  },
}
