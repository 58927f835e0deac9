import { afterEach, describe, expect, it, vi } from 'vitest'
import { findVisitor, findVisitorAt, readVisitor } from './find-visitor.js'
import { listVisitors } from './reads.js'
import { VisitorLookupError } from './visitor.js'
import { READ_TIMEOUT_MS } from './visitors-table.js'

const ADA = { slug: 'Ada', name: 'Ada', system: 'Be brief.', first_message: null }

/** A backend that answers each request with the next answer and remembers what it was asked. */
function backend(...answers: (unknown[] | number | Error)[]) {
  const requests: Request[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(input, init))
    const answer = answers.shift()
    if (answer === undefined) throw new Error('asked once too often')
    if (answer instanceof Error) throw answer
    if (typeof answer === 'number') return Response.json({ message: 'no' }, { status: answer })
    return Response.json(answer)
  }
  const source = (slug: string) => ({
    url: 'http://backend.test/base',
    key: 'public-key',
    slug,
    fetch,
    header: true,
  })
  const query = (index: number) => new URL(requests[index]?.url ?? '').searchParams
  return { requests, source, query }
}

describe('findVisitorAt', () => {
  it('reads the slug of a path, and nothing for a path that holds none', async () => {
    const { source, requests, query } = backend([ADA])
    expect(await findVisitorAt('/Ada/anything', source)).toEqual(ADA)
    expect(query(0).get('slug')).toBe('eq.Ada')
    expect(await findVisitorAt('/%ff', source)).toBeNull()
    expect(requests).toHaveLength(1)
  })
})

describe('findVisitor', () => {
  it('reads all fields of the row with exactly this slug', async () => {
    const { source, requests, query } = backend([ADA])
    expect(await findVisitor(source('Ada'))).toEqual(ADA)
    expect(requests).toHaveLength(1)
    expect(new URL(requests[0]?.url ?? '').pathname).toBe('/base/rest/v1/visitors')
    expect(query(0).get('select')).toBe('*')
    expect(query(0).get('slug')).toBe('eq.Ada')
  })

  it('sends the key and the slug header', async () => {
    const { source, requests } = backend([ADA])
    await findVisitor(source('Ada'))
    expect(requests[0]?.headers.get('apikey')).toBe('public-key')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer public-key')
    expect(requests[0]?.headers.get('x-visitor-slug')).toBe('Ada')
  })

  it.each([
    ['café', 'caf%C3%A9'],
    ['名前', '%E5%90%8D%E5%89%8D'],
    ['a b', 'a%20b'],
    ['%41', '%2541'],
    ['-', '-'],
  ])('names the slug %j in a header, percent-encoded', async (slug, header) => {
    const { source, requests, query } = backend([], [])
    await findVisitor(source(slug))
    expect(requests.map(({ headers }) => headers.get('x-visitor-slug'))).toEqual([header, header])
    expect(query(0).get('slug')).toBe(`eq.${slug}`)
  })

  it('looks for a slug as it is spelled, then without case and with its accents in one character', async () => {
    const apart = 'mu\u0308nchen'
    const { source, requests, query } = backend([], [ADA])
    expect(await findVisitor(source(apart))).toEqual(ADA)
    expect(query(0).get('slug')).toBe(`eq.${apart}`)
    expect(query(1).get('slug')).toBe('ilike.m\u00fcnchen')
    expect(requests.map(({ headers }) => headers.get('x-visitor-slug'))).toEqual([
      'mu%CC%88nchen',
      'm%C3%BCnchen',
    ])
  })

  it('leaves the header out when it is switched off', async () => {
    const { source, requests } = backend([ADA])
    await findVisitor({ ...source('Ada'), header: false })
    expect(requests[0]?.headers.has('x-visitor-slug')).toBe(false)
  })

  it('tries a case-insensitive match when there is no exact one', async () => {
    const { source, query } = backend([], [ADA])
    expect(await findVisitor(source('ADA'))).toEqual(ADA)
    expect(query(0).get('slug')).toBe('eq.ADA')
    expect(query(1).get('slug')).toBe('ilike.ADA')
  })

  it('lets wildcards in a slug match only themselves', async () => {
    const { source, query } = backend([], [])
    expect(await findVisitor(source('a_%\\'))).toBeNull()
    expect(query(1).get('slug')).toBe('ilike.a\\_\\%\\\\')
  })

  it('makes no second read for a slug with an asterisk', async () => {
    const { source, requests } = backend([])
    expect(await findVisitor(source('ad*'))).toBeNull()
    expect(requests).toHaveLength(1)
  })

  it.each([500, 503, 401, new TypeError('fetch failed')])(
    'rejects at once when the read fails with %s',
    async (answer) => {
      const { source, requests } = backend(answer)
      await expect(findVisitor(source('ada'))).rejects.toThrow(VisitorLookupError)
      expect(requests).toHaveLength(1)
    },
  )

  it('rejects when the second read fails', async () => {
    const { source } = backend([], 500)
    await expect(findVisitor(source('ada'))).rejects.toMatchObject({ code: 'read-failed' })
  })

  it('rejects a row that is no visitor', async () => {
    const { source } = backend([{ slug: 'ada', name: 5 }])
    await expect(findVisitor(source('ada'))).rejects.toMatchObject({ code: 'invalid-row' })
  })

  it('makes a name with half a character well-formed, which HTML and JSON would carry differently', async () => {
    const { source } = backend([{ ...ADA, name: 'Ada \ud800 \ud83e\uddb7\udc00' }])
    expect((await findVisitor(source('Ada')))?.name).toBe('Ada \ufffd \u{1f9b7}\ufffd')
  })

  it.each([
    ['Ada\nLovelace', 'Ada Lovelace'],
    ['\tAda\u0007\u2028', 'Ada'],
    ['Ada \u202eecalevoL\u202c', 'Ada ecalevoL'],
    ['مطعم \u200fالنخيل', 'مطعم \u200fالنخيل'],
  ])('shows the name %j in one line, in its own direction', async (name, shown) => {
    const { source } = backend([{ ...ADA, name }])
    expect((await findVisitor(source('Ada')))?.name).toBe(shown)
  })

  it.each([null, '', ' \n'])('greets a row whose name is %j as somebody', async (name) => {
    const { source } = backend([{ ...ADA, name }])
    expect((await findVisitor(source('Ada')))?.name).toBe('there')
  })

  it('rejects a row of a table without names', async () => {
    const { source } = backend([{ slug: 'ada', system: null, first_message: null }])
    await expect(findVisitor(source('ada'))).rejects.toMatchObject({ code: 'invalid-row' })
  })

  it('drops columns that a visitor does not have', async () => {
    const { source } = backend([{ ...ADA, phone: '+12025550123' }])
    expect(await findVisitor(source('Ada'))).toEqual(ADA)
  })

  it('rejects when its signal ends it', async () => {
    const { source } = backend([ADA])
    const fetch = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        if (init?.signal?.aborted) reject(init.signal.reason)
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const ending = new AbortController()
    const found = findVisitor({ ...source('Ada'), fetch, signal: ending.signal })
    ending.abort()
    await expect(found).rejects.toThrow(VisitorLookupError)
  })
})

describe('a backend that does not answer', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Answers when its request is ended, and never otherwise. */
  const hang = (_input: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })

  it.each([
    ['findVisitor', findVisitor],
    ['readVisitor', readVisitor],
    ['listVisitors', listVisitors],
  ])('fails %s after its time, also with a signal of the caller’s', async (_, read) => {
    vi.useFakeTimers()
    for (const signal of [undefined, new AbortController().signal]) {
      let failure: unknown
      void read({ ...backend().source('ada'), fetch: hang, signal }).catch((error) => {
        failure = error
      })
      await vi.advanceTimersByTimeAsync(READ_TIMEOUT_MS - 1)
      expect(failure).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      expect(failure).toBeInstanceOf(VisitorLookupError)
    }
  })

  it('fails a read whose answer stops in its middle', async () => {
    vi.useFakeTimers()
    const fetch = async (_input: unknown, init?: RequestInit) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('[{"slug":'))
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const failed = expect(readVisitor({ ...backend().source('ada'), fetch })).rejects.toThrow(
      VisitorLookupError,
    )
    await vi.advanceTimersByTimeAsync(READ_TIMEOUT_MS)
    await failed
  })

  it('leaves no timer behind when it does answer', async () => {
    vi.useFakeTimers()
    await findVisitor(backend([], [ADA]).source('ada'))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('readVisitor', () => {
  it('makes the exact read only', async () => {
    const { source, requests } = backend([])
    expect(await readVisitor(source('ada'))).toBeNull()
    expect(requests).toHaveLength(1)
  })
})

describe('listVisitors', () => {
  it('reads slug and name of all rows', async () => {
    const { source, query } = backend([{ slug: 'Ada', name: 'Ada' }])
    expect(await listVisitors(source('Ada'))).toEqual([{ slug: 'Ada', name: 'Ada' }])
    expect(query(0).get('select')).toBe('slug,name')
    expect(query(0).has('slug')).toBe(false)
  })
})
