import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asCurl, type FuzzReport, fuzz } from './testing/fuzz/fuzz.js'
import { hostileRequest } from './testing/fuzz/hostile-request.js'
import { makeSecrets, plant } from './testing/hidden-visitors.js'
import { serveHttp } from './testing/http-server.js'
import { KEYS, type RunningBackend, type RunOptions, runBackend } from './testing/running-backend.js'

/** `npm run fuzz` sends many more. */
const REQUESTS = 1500
const SEED = 20261120

const run = async (options: RunOptions): Promise<RunningBackend> => {
  const backend = await runBackend({}, options)
  await makeSecrets(backend.db)
  return backend
}
const send = ({ url, db }: RunningBackend, count: number): Promise<FuzzReport> =>
  fuzz({ base: url, keys: KEYS, seed: SEED, count, plant: () => plant(db) })

describe.each(DATABASES)(`${REQUESTS} hostile requests on $name`, ({ open }) => {
  let backend: RunningBackend
  let report: FuzzReport
  beforeAll(async () => {
    backend = await run({ open })
    report = await send(backend, REQUESTS)
  }, 60_000)
  afterAll(() => backend.close())

  it('are all answered, without a server error, and tell no secret', () => {
    expect(report.failures.map(({ request, why }) => `${why}: ${asCurl('', request)}`)).toEqual([])
    expect(report.sent).toBe(REQUESTS)
    expect(backend.log).toEqual([])
  })

  it('do not all die at the door', () => {
    expect(Object.keys(report.statuses).map(Number)).toEqual(
      expect.arrayContaining([200, 201, 204, 206, 400, 401, 404, 405, 406, 416]),
    )
    for (const { sent, ok } of Object.values(report.valid)) expect(ok / sent).toBeGreaterThan(0.7)
    expect(report.shown).toBeGreaterThan(REQUESTS / 100)
  })

  it('would find a visitor that can be found', async () => {
    await backend.db.exec(
      "create policy hole on public.visitors for select to anon using (slug = 'hidden-lead-2')",
    )
    const { failures } = await send(backend, 150)
    await backend.db.exec('drop policy hole on public.visitors')
    expect(failures.length).toBeGreaterThan(5)
    expect(failures[0]?.why).toMatch(/^the answer holds (hush-\w+-2|hidden-lead-2)$/)
  })

  it('would find a server error', async () => {
    await backend.db.exec(`
      create function private.broken() returns boolean language plpgsql as $$ begin raise exception 'oh' using errcode = 'XX000'; end $$;
      create policy hole on public.visitors for select to anon using (private.broken())
    `)
    const { failures } = await send(backend, 150)
    await backend.db.exec('drop policy hole on public.visitors; drop function private.broken()')
    backend.log.splice(0)
    expect(failures.map(({ why }) => why)).toContainEqual(expect.stringMatching(/^a server error: 500/))
  })
})

describe('a server that is gone', () => {
  it('is noticed', async () => {
    const { url, close } = await serveHttp(async () => new Response())
    await close()
    const { failures } = await fuzz({ base: url, keys: KEYS, seed: SEED, count: 10, plant: async () => {} })
    expect(failures.map(({ why }) => why)).toEqual(Array(10).fill(expect.stringMatching(/^no answer: /)))
  })
})

describe('the same seed', () => {
  it('makes the same requests, and another one others', () => {
    const made = (seed: number) =>
      Array.from({ length: 50 }, (_, index) => hostileRequest(seed, index, 'public', KEYS))
    expect(made(1)).toEqual(made(1))
    expect(made(1)).not.toEqual(made(2))
  })
})

describe('requests that are too large', () => {
  let backend: RunningBackend
  beforeAll(async () => {
    backend = await runBackend()
  })
  afterAll(() => backend.close())
  const headers = { apikey: KEYS.publishable }
  it('refuses an address of 40,000 characters', async () => {
    const url = `http://localhost/rest/v1/visitors?${'slug=eq.a&'.repeat(4000)}`
    expect((await backend.serve(new Request(url, { headers }))).status).toBe(414)
  })

  it('takes as many columns and filters as fit in an address, with the secret key only', async () => {
    const columns = `http://localhost/rest/v1/visitors?select=${'id,'.repeat(10_000)}id`
    const filters = `http://localhost/rest/v1/visitors?${'id=is.null&'.repeat(2900)}`
    const status = async (url: string, apikey: string) =>
      (await backend.serve(new Request(url, { headers: { apikey } }))).status
    expect(await status(columns, KEYS.secret)).toBe(400)
    expect(await status(filters, KEYS.secret)).toBe(200)
    expect(await status(columns, KEYS.publishable)).toBe(400)
    expect(await status(filters, KEYS.publishable)).toBe(400)
  })

  it('refuses a body that has no length and does not end', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const request = new Request('http://localhost/rest/v1/visitors', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
    expect((await backend.serve(request)).status).toBe(413)
    expect(sent).toBeLessThan(2_000_000)
  })

  it('refuses a body that is not UTF-8, or breaks off', async () => {
    const post = (body: BodyInit) =>
      backend.serve(
        new Request('http://localhost/rest/v1/visitors', {
          method: 'POST',
          headers,
          body,
          duplex: 'half',
        } as RequestInit),
      )
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    expect((await post(broken)).status).toBe(400)
    expect(backend.log).toEqual([])
  })
})
