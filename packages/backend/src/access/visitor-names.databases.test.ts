import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEYS, type RunningBackend, runBackend } from '../testing/running-backend.js'

describe.each(DATABASES)('the secret key on $name', ({ open }) => {
  let backend: RunningBackend
  beforeAll(async () => {
    backend = await runBackend({}, { open })
    await backend.db.query("insert into public.visitors (slug, name) values ('acme', 'Acme')")
  })
  afterAll(() => backend.close())

  const write = async (method: string, query: string, row: object) => {
    const answer = await fetch(`${backend.url}/rest/v1/visitors${query}`, {
      method,
      headers: { apikey: KEYS.secret, 'content-type': 'application/json' },
      body: JSON.stringify(row),
    })
    const text = await answer.text()
    return [answer.status, text === '' ? '' : JSON.parse(text)]
  }

  it.each(['two\nlines', 'bell\u0007', 'c1\u0085', 'over\u202eturned'])(
    'stores no name with control characters: %j',
    async (name) => {
      const refusal = [
        400,
        expect.objectContaining({
          code: '23514',
          message: expect.stringContaining('"visitors_name_in_one_line"'),
        }),
      ]
      expect(await write('POST', '', { slug: 'new', name })).toEqual(refusal)
      expect(await write('PATCH', '?slug=eq.acme', { name })).toEqual(refusal)
    },
  )

  it('stores a name with marks of direction and joiners', async () => {
    expect(await write('PATCH', '?slug=eq.acme', { name: 'مطعم \u200fالنخيل' })).toEqual([204, ''])
  })
})
