import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { PlatformClient } from '../index.js'
import { collect } from '../testing/collect.js'
import { json, startLocalServer } from '../testing/local-server.js'

/** A platform whose list answers with these pages, in turn. */
async function startList(...answers: unknown[]) {
  const server = await startLocalServer((_, response, count) =>
    json(response, 200, answers[Math.min(count, answers.length) - 1]),
  )
  return { server, platform: new PlatformClient({ token: 'test-token', baseUrl: server.url, retries: 0 }) }
}

const page = (ids: number[], metadata: object) => ({ results: ids.map((id) => ({ id })), metadata })

describe('a walk through the pages', () => {
  it('asks for nothing before the first item is taken, and for no page more than is needed', async () => {
    const { server, platform } = await startList(
      page([1, 2], { itemsPerPage: 2, totalItems: 4, currentPage: 1 }),
      page([3, 4], { itemsPerPage: 2, totalItems: 4, currentPage: 2 }),
    )
    await using _ = server
    const calls = platform.calls.pages({ limit: 2, assistantId: 'a' })
    expect(server.requests).toHaveLength(0)
    expect((await calls.next()).value).toEqual({ id: 1 })
    expect((await calls.next()).value).toEqual({ id: 2 })
    expect(server.requests).toHaveLength(1)
    expect(await collect(calls)).toEqual([{ id: 3 }, { id: 4 }])
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v2/call?limit=2&assistantId=a',
      '/v2/call?limit=2&assistantId=a&page=2',
    ])
  })

  it('begins at the page asked for', async () => {
    const { server, platform } = await startList(
      page([9], { itemsPerPage: 1, totalItems: 3, currentPage: 3 }),
    )
    await using _ = server
    expect(await collect(platform.chats.pages({ page: 3 }))).toEqual([{ id: 9 }])
    expect(server.requests.map(({ url }) => url)).toEqual(['/chat?page=3'])
  })

  it('ends where the platform says that no page follows', async () => {
    const { server, platform } = await startList(page([1], { currentPage: 1, hasNextPage: false }))
    await using _ = server
    expect(await collect(platform.sessions.pages())).toEqual([{ id: 1 }])
  })

  it('ends with an empty page where the platform counts nothing', async () => {
    const { server, platform } = await startList(page([1], {}), page([2], {}), page([], {}))
    await using _ = server
    expect(await collect(platform.sessions.pages())).toEqual([{ id: 1 }, { id: 2 }])
    expect(server.requests).toHaveLength(3)
  })

  it('gives an item once that a newer one pushed to the next page', async () => {
    const { server, platform } = await startList(
      page([5, 4], { itemsPerPage: 2, totalItems: 4, currentPage: 1 }),
      page([4, 3], { itemsPerPage: 2, totalItems: 5, currentPage: 2 }),
      page([2], { itemsPerPage: 2, totalItems: 5, currentPage: 3 }),
    )
    await using _ = server
    expect(await collect(platform.calls.pages())).toEqual([5, 4, 3, 2].map((id) => ({ id })))
  })

  it('does not ask for ever where every page is the first one', async () => {
    const { server, platform } = await startList(
      page([1], { itemsPerPage: 1, totalItems: 9, currentPage: 1 }),
    )
    await using _ = server
    await expect(collect(platform.calls.pages())).rejects.toMatchObject({ code: 'invalid_response' })
    expect(server.requests).toHaveLength(2)
  })

  it('refuses an answer that is no page', async () => {
    const { server, platform } = await startList([{ id: 1 }])
    await using _ = server
    await expect(collect(platform.calls.pages())).rejects.toMatchObject({ code: 'invalid_response' })
  })

  it('rejects with the error of the page that failed', async () => {
    await using server = await startLocalServer((_, response, count) =>
      count === 1
        ? json(response, 200, page([1], { itemsPerPage: 1, totalItems: 2, currentPage: 1 }))
        : json(response, 400, { message: 'page is too far' }),
    )
    const calls = new PlatformClient({ token: 'test-token', baseUrl: server.url }).calls.pages()
    await calls.next()
    await expect(calls.next()).rejects.toThrow('page is too far')
  })

  it('gives nothing more of a page once it is aborted', async () => {
    const { server, platform } = await startList(
      page([1, 2], { itemsPerPage: 2, totalItems: 2, currentPage: 1 }),
    )
    await using _ = server
    const controller = new AbortController()
    const calls = platform.calls.pages({}, { signal: controller.signal })
    await calls.next()
    controller.abort()
    await expect(calls.next()).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('ends with the loop, and with its signal', async () => {
    const { server, platform } = await startList(
      page([1], { itemsPerPage: 1, totalItems: 2, currentPage: 1 }),
    )
    await using _ = server
    const controller = new AbortController()
    for await (const call of platform.calls.pages({}, { signal: controller.signal })) {
      expect(call).toEqual({ id: 1 })
      break
    }
    expect(server.requests).toHaveLength(1)
    const calls = platform.calls.pages({}, { signal: controller.signal })
    await calls.next()
    controller.abort()
    await expect(calls.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    expect(server.requests).toHaveLength(2)
  })
})
