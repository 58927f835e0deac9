import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeyRing } from './keys/key-ring.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-open-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe.each([
  ['slug', ['default']],
  ['open', ['default', 'riverside-dental']],
])('a server with VISITOR_ACCESS=%s', (access, slugs) => {
  const settings = readSettings({ PORT: '0', DATA_DIR: join(directory, access), VISITOR_ACCESS: access })
  let heyline: Heyline
  beforeAll(async () => {
    heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }) })
  })
  afterAll(() => heyline.close())

  it('says loudly that everybody can be found, if so', () => {
    const warned = heyline.banner.includes('\n  Careful: VISITOR_ACCESS=open.')
    expect(warned).toBe(access === 'open')
  })

  it(`shows ${slugs.join(' and ')} to the public key`, async () => {
    const { publishable } = openKeyRing(settings.dataDirectory, settings.keys)
    const answer = await fetch(`${heyline.url}/-/backend/rest/v1/visitors?select=slug&order=slug`, {
      headers: { apikey: publishable },
    })
    expect(await answer.json()).toEqual(slugs.map((slug) => ({ slug })))
  })
})
