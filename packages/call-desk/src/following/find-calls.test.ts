import { PlatformClient } from '@heyline/platform-client'
import { expect, it } from 'vitest'
import { findCalls } from './find-calls.js'

it('reads no more of a list than was asked for, and walks on, where the platform sends all it has', async () => {
  const limits: (string | null)[] = []
  const calls = Array.from({ length: 5_000 }, (_, n) => ({
    id: `call-${n}`,
    name: `name-${n}`,
    createdAt: new Date(Date.UTC(2026, 0, 2) - n * 1000).toISOString(),
  }))
  const platform = new PlatformClient({
    token: 'private-key',
    baseUrl: 'https://platform.example',
    fetch: async (input) => {
      const { searchParams } = new URL(input instanceof Request ? input.url : String(input))
      limits.push(searchParams.get('limit'))
      const before = searchParams.get('createdAtLe') ?? ''
      return Response.json(calls.filter(({ createdAt }) => createdAt <= before))
    },
  })
  const { found, isComplete } = await findCalls(platform, {
    names: new Set(['name-60']),
    from: new Date(0),
    to: new Date(Date.UTC(2026, 0, 3)),
    signal: new AbortController().signal,
  })
  expect([...found.values()].map(({ id }) => id)).toEqual(['call-60'])
  expect(isComplete).toBe(true)
  expect(limits).toEqual(['25', '25', '25'])
})
