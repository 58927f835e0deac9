import { AUTH, type Hole, SECRET_KEY, type Serve, type Target } from './target.js'

/** What a program of the attack tries. */
export const AIMS = [
  'enumeration',
  'timing',
  'code guessing',
  'replay',
  'token confusion',
  'fixation',
  'role escalation',
  'things of others',
  'crowding out',
] as const

export type Aim = (typeof AIMS)[number]

/** Of the body of a request, which stays as it was. */
const bodyOf = async (request: Request): Promise<Record<string, unknown>> => ({
  ...(await request.clone().json()),
})

const isKnown = async ({ db }: Target, email: unknown): Promise<boolean> =>
  (await db.query('select from auth.users where email = $1', [email])).rowCount > 0

const pathOf = (request: Request): string => new URL(request.url).pathname

/** The same request with another token. */
function withToken(request: Request, token: string, url = request.url): Request {
  const changed = new Request(url, request)
  changed.headers.set('authorization', `Bearer ${token}`)
  return changed
}

const partsOf = (request: Request): Record<string, unknown>[] =>
  (request.headers.get('authorization') ?? '')
    .replace(/^Bearer /, '')
    .split('.')
    .slice(0, 2)
    .map((part) => {
      try {
        return { ...JSON.parse(Buffer.from(part, 'base64url').toString()) }
      } catch {
        return {}
      }
    })

const refusal = (status: number, error_code: string): Response => Response.json({ error_code }, { status })

/** Something that is refused, or served, before the server sees it. */
const inFront =
  (look: (request: Request, at: Target, serve: Serve) => Promise<Response | undefined>) =>
  (serve: Serve, at: Target): Serve =>
  async (request) =>
    (await look(request, at, serve)) ?? (await serve(request))

/** One weakness for each aim, which its program has to find. */
export const HOLES: Record<Aim, Hole> = {
  enumeration: {
    wrap: inFront(async (request, at) =>
      pathOf(request) === `${AUTH}/recover` && !(await isKnown(at, (await bodyOf(request)).email))
        ? refusal(404, 'user_not_found')
        : undefined,
    ),
  },
  timing: {
    wrap: inFront(async (request, at) =>
      request.url.endsWith('grant_type=password') && !(await isKnown(at, (await bodyOf(request)).email))
        ? refusal(400, 'invalid_credentials')
        : undefined,
    ),
  },
  'code guessing': trigger(
    'auth.mfa_factors',
    'before update',
    'new.failures := 0; new.locked_until := null; return new;',
  ),
  replay: trigger('auth.mfa_factors', 'before update', 'new.last_step := null; return new;'),
  'token confusion': {
    wrap: inFront(async (request, _, serve) => {
      const [header, claims] = partsOf(request)
      if (header?.alg !== 'none' || pathOf(request) !== `${AUTH}/user`) return undefined
      return await serve(
        withToken(request, SECRET_KEY, request.url.replace('/user', `/admin/users/${claims?.sub}`)),
      )
    }),
  },
  fixation: trigger('auth.sessions', 'before delete', 'return null;'),
  'role escalation': {
    wrap: inFront(async (request, _, serve) => {
      const [, claims] = partsOf(request)
      return Object(claims?.user_metadata).role === 'owner'
        ? await serve(withToken(request, SECRET_KEY))
        : undefined
    }),
  },
  'things of others': {
    wrap: inFront(async (request, { db }, serve) => {
      const [, factor] = /\/factors\/([^/]+)$/.exec(pathOf(request)) ?? []
      if (request.method !== 'DELETE' || !factor || pathOf(request).includes('/admin/')) return undefined
      const { rows } = await db.query<{ owner: string }>(
        'select user_id as owner from auth.mfa_factors where id = $1',
        [factor],
      )
      const path = `/admin/users/${rows[0]?.owner}/factors/${factor}`
      return await serve(withToken(request, SECRET_KEY, request.url.replace(`/factors/${factor}`, path)))
    }),
  },
  'crowding out': {
    wrap: (serve) => {
      let changing = 0
      return async (request) => {
        if (request.url.endsWith('grant_type=password') && changing > 2)
          return refusal(429, 'over_request_rate_limit')
        if (request.method !== 'PUT' || pathOf(request) !== `${AUTH}/user`) return await serve(request)
        changing += 1
        return await serve(request).finally(() => {
          changing -= 1
        })
      }
    },
  },
}

/** A trigger that undoes what protects rows. */
function trigger(table: string, when: string, body: string): Hole {
  return {
    tear: `create function public.hole() returns trigger language plpgsql as $$ begin ${body} end $$;
      create trigger hole ${when} on ${table} for each row execute function public.hole()`,
    mend: `drop trigger hole on ${table}; drop function public.hole()`,
  }
}
