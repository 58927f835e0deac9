import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { startHeyline } from '../../start/heyline.js'
import { runHeyline, testDirectory } from '../../testing/heyline-command.js'

// Each test runs the command several times, and a start of it takes seconds where much else is going on.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const { path: directory, remove } = testDirectory()
const settings = { DATA_DIR: join(directory, 'data') }
const heyline = (...words: string[]) => runHeyline(['tickets', ...words], settings)
afterAll(() => remove())

it('makes no data directory', async () => {
  const { code, err } = await heyline('list', '--json')
  expect([code, JSON.parse(err)]).toMatchObject([1, { error: { code: 'no_data_directory' } }])
})

it('lists and shows through the running server, and removes without one', async () => {
  const server = await startHeyline({
    settings: readSettings({ ...settings, PORT: '0' }),
    logger: pino({ level: 'silent' }),
  })
  try {
    expect(await heyline('list')).toMatchObject({ code: 0, err: 'heyline: there are no tickets\n' })
    const { out } = await runHeyline(['keys', '--json'], settings)
    for (const subject of ['First', 'Two\nlines \u001B[31m']) {
      const sent = await fetch(`${server.url}/-/platform/support/ticket`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${JSON.parse(out).platformPrivate}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ category: 'pricing', subject, message: 'What does it cost?\nAda' }),
      })
      expect(sent.status).toBe(201)
    }
    const listed = await heyline('list', '--limit', '1')
    expect(listed.out).toMatch(/^\d{4}-\S+ \S+Z {2}[\da-f-]{36} {2}pricing {2}- {2}Two lines {2}\[31m\n$/)
    expect(listed.err).toBe('heyline: there are more: add --limit\n')
    const [, { id }] = JSON.parse((await heyline('list', '--json')).out)
    expect((await heyline('show', id)).out).toMatch(/subject {3}First\n\nWhat does it cost\?\nAda\n$/)
  } finally {
    await server.close()
  }
  const [{ id }] = JSON.parse((await heyline('list', '--json', '--limit', '1')).out)
  expect((await heyline('remove', id)).out).toBe(`The ticket ${id} is removed\n`)
  expect(await heyline('show', id)).toMatchObject({ code: 1, err: expect.stringMatching(/no such ticket/) })
  expect((await heyline('show', 'abc')).err).toContain('Give its whole id')
  expect((await heyline('list', '--limit', '0')).err).toContain('--limit is 1 to 10000')
})

it('says where the tickets of a hosted platform are', async () => {
  const hosted = {
    ...{ PLATFORM_URL: 'https://platform.example', PLATFORM_PRIVATE_KEY: 'private-key' },
    ...{ PLATFORM_PUBLIC_KEY: 'public-key', PLATFORM_ASSISTANT_ID: '00000000-0000-4000-8000-00000000000a' },
    PLATFORM_PHONE_NUMBER_ID: '00000000-0000-4000-8000-00000000000b',
  }
  const { code, err } = await runHeyline(['tickets', 'list'], { ...settings, ...hosted })
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^heyline: The hosted platform keeps its own tickets/),
  ])
})
