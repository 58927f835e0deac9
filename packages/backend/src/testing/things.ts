import { expect } from 'vitest'
import { KEYS, type RunningBackend, runBackend } from './running-backend.js'

type Init = RequestInit & { headers?: Record<string, string> }

/** A running backend with a table `things`, whose three rows `reset` puts back; `anon` may read two of its columns. */
export interface Things {
  backend: RunningBackend
  reset(): Promise<void>
  /** The table, through the real client with the secret key. */
  table(): ReturnType<ReturnType<RunningBackend['client']>['from']>
  /** A request as it is, with the secret key where it names no other. */
  ask(path: string, init?: Init): Promise<Response>
  /** The status and code of a request that is refused, once its answer is found to have PostgREST's shape. */
  refusal(path: string, init?: Init): Promise<[number, unknown]>
}

export async function runThings(): Promise<Things> {
  const backend = await runBackend()
  await backend.db.exec(`
    create table public.things (
      id int primary key, name text, price numeric(20, 4) default 1.5, big int8, made timestamptz, data jsonb, secret text
    );
    grant all on public.things to service_role;
    grant select (id, name) on public.things to anon;
    create table public.defaults (id int generated always as identity, note text default 'none');
    grant all on public.defaults to service_role;
  `)
  const ask = (path: string, init: Init = {}): Promise<Response> =>
    fetch(`${backend.url}/rest/v1${path}`, {
      ...init,
      headers: {
        apikey: KEYS.secret,
        ...(init.body && { 'content-type': 'application/json' }),
        ...init.headers,
      },
    })
  return {
    backend,
    ask,
    table: () => backend.client(KEYS.secret).from('things'),
    reset: () =>
      backend.db.exec(`
        delete from public.things;
        insert into public.things (id, name, price, big, made, data, secret) values
          (1, 'one', 1.10, 9007199254740993, '2026-01-02T03:04:05.678901Z', '{"a":[1]}', 's1'),
          (2, 'Two', null, null, null, null, null),
          (3, 'th"r,e)e', 3, 3, null, '[]', 's3');
      `),
    async refusal(path, init) {
      const answer = await ask(path, init)
      const body: Record<string, unknown> = await answer.json()
      expect(Object.keys(body)).toEqual(['code', 'details', 'hint', 'message'])
      expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${body.code}`)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      return [answer.status, body.code]
    },
  }
}
