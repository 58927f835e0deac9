import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewVisitor } from './new-visitor.js'
import { createVisitors } from './visitors.js'

let db: Db

const visitors = () => createVisitors(db)
const add = (slug: string, name = 'Somebody') => visitors().add({ slug, name })
const rowsOf = async (slug: string) =>
  (
    await db.query(
      'select slug, name, system, first_message, listed from public.visitors where slug like $1 order by slug',
      [slug],
    )
  ).rows

async function* batches(...parts: NewVisitor[][]) {
  yield* parts
}

function describeVisitors() {
  it('are listed by slug, a part at a time, without their prompts', async () => {
    for (const slug of ['Zeta-2', 'zeta-1', 'zeta-3']) await add(slug, slug.toUpperCase())
    const first = await visitors().list({ limit: 2, after: 'zeta-' })
    expect(first).toEqual({
      visitors: [
        { slug: 'zeta-1', name: 'ZETA-1' },
        { slug: 'Zeta-2', name: 'ZETA-2' },
      ],
      next: 'Zeta-2',
    })
    expect(await visitors().list({ limit: 2, after: 'Zeta-2' })).toEqual({
      visitors: [{ slug: 'zeta-3', name: 'ZETA-3' }],
      next: null,
    })
    expect((await visitors().list({ limit: 1 })).visitors).toHaveLength(1)
  })

  it('are stored as given, unlisted; empty texts as none', async () => {
    await visitors().add({
      slug: 'full',
      name: ' Full ',
      system: 'Be kind.',
      firstMessage: 'Hello',
      listed: true,
    })
    await visitors().add({ slug: 'full-not', name: 'Empty', system: '', firstMessage: '' })
    expect(await rowsOf('full%')).toEqual([
      { slug: 'full', name: 'Full', system: 'Be kind.', first_message: 'Hello', listed: true },
      { slug: 'full-not', name: 'Empty', system: null, first_message: null, listed: false },
    ])
  })

  it.each(['a', '7', 'A-b_c', 'x'.repeat(64)])('take the slug %j', async (slug) => {
    expect(await add(slug)).toMatchObject({ slug })
  })

  it.each(['', '-a', '_a', 'a b', 'a/b', 'a.b', 'a%', 'a*', 'é', 'a\n', 'x'.repeat(65)])(
    'refuse the slug %j',
    async (slug) => {
      await expect(add(slug)).rejects.toMatchObject({ name: 'VisitorError', code: 'invalid_slug' })
    },
  )

  it.each(['Taken', 'TAKEN', 'taken'])('refuse a slug that is taken, in any case: %s', async (slug) => {
    await add('taken').catch(() => {})
    await expect(add(slug)).rejects.toMatchObject({
      code: 'slug_taken',
      message: expect.stringContaining(slug),
    })
  })

  it.each([
    [{ system: 'x'.repeat(100_001) }, 'A prompt has at most 100000 characters'],
    [{ firstMessage: 'x'.repeat(10_001) }, 'A first message has at most 10000 characters'],
    [{ system: 'a\0b' }, "A prompt can't hold a NUL character, nor half of a surrogate pair"],
    [
      { firstMessage: 'a\ud800b' },
      "A first message can't hold a NUL character, nor half of a surrogate pair",
    ],
  ])('refuse texts that can not be kept: %#', async (texts, message) => {
    await expect(visitors().add({ slug: 'long', name: 'Long', ...texts })).rejects.toMatchObject({
      code: 'invalid_visitor',
      message,
    })
  })

  it('take names of 1 to 200 characters', async () => {
    expect(await add('short', 'X')).toMatchObject({ name: 'X' })
    expect(await add('long', 'n'.repeat(200))).toMatchObject({ name: 'n'.repeat(200) })
    for (const name of ['', '   ', 'n'.repeat(201)])
      await expect(add('other', name)).rejects.toMatchObject({ code: 'invalid_name' })
  })

  it.each(['two\nlines', 'a\tb', 'bell\u0007', 'c1\u0085', 'line\u2028break', 'over\u202e', 'isolate\u2066'])(
    'refuse the name %j, new and changed, with words',
    async (name) => {
      const refusal = { code: 'invalid_name', message: expect.stringContaining('A name is one line') }
      await expect(add('control', name)).rejects.toMatchObject(refusal)
      await add('uncontrolled').catch(() => {})
      await expect(visitors().update('uncontrolled', { name })).rejects.toMatchObject(refusal)
    },
  )

  it('take names whose letters need marks of direction and joiners', async () => {
    for (const name of ['مطعم \u200fالنخيل', 'می\u200cخواهم', '👩\u200d🔬 Lab'])
      expect(await visitors().update('uncontrolled', { name })).toMatchObject({ name })
  })

  it('are shown, changed and removed by any slug that is stored, in any case', async () => {
    await db.query("insert into public.visitors (slug, name, system) values ('Köln %_*', 'Dom', 'Be kind.')")
    const row = { slug: 'Köln %_*', name: 'Dom', system: 'Be kind.', first_message: null, listed: false }
    expect(await visitors().show('KÖLN %_*')).toEqual(row)
    expect(await visitors().update('köln %_*', { name: 'Zoo', system: '', listed: true })).toEqual({
      ...row,
      name: 'Zoo',
      system: null,
      listed: true,
    })
    expect(await visitors().remove('Köln %_*')).toEqual({ slug: 'Köln %_*', name: 'Zoo' })
    const gone = [
      () => visitors().show('Köln %_*'),
      () => visitors().remove('%'),
      () => visitors().update('_', { name: 'X' }),
    ]
    for (const ask of gone) await expect(ask()).rejects.toMatchObject({ code: 'visitor_not_found' })
  })

  it('are changed in what is given only, and by the rules for new ones', async () => {
    await visitors().add({ slug: 'keep', name: 'Keep', system: 'Prompt', firstMessage: 'Hi', listed: true })
    expect(await visitors().update('keep', { firstMessage: null })).toEqual({
      slug: 'keep',
      name: 'Keep',
      system: 'Prompt',
      first_message: null,
      listed: true,
    })
    expect(await visitors().update('keep', { slug: 'Keep-2' })).toMatchObject({ slug: 'Keep-2' })
    await add('neighbour')
    await expect(visitors().update('keep-2', { slug: 'NEIGHBOUR' })).rejects.toMatchObject({
      code: 'slug_taken',
    })
    await expect(visitors().update('keep-2', { slug: 'a b' })).rejects.toMatchObject({ code: 'invalid_slug' })
    await expect(visitors().update('keep-2', { name: ' ' })).rejects.toMatchObject({ code: 'invalid_name' })
    await expect(visitors().update('keep-2', {})).rejects.toMatchObject({
      message: 'Nothing is to be changed',
    })
  })

  it('are found among slugs without regard to case', async () => {
    await add('Mixed')
    expect(await visitors().taken(['mixed', 'nobody', 'MIXED'])).toEqual(['Mixed'])
    expect(await visitors().taken([])).toEqual([])
  })

  it('are imported and exported as they are, in parts', async () => {
    const system = 'quotes " \\ and\r\nlines, 日本語 🎉'
    const many = Array.from({ length: 450 }, (_, index) => ({
      slug: `bulk-${index}`,
      name: 'Bulk',
      system,
      listed: index === 7,
    }))
    const seen: number[] = []
    const report = await visitors().import(batches(many.slice(0, 300), many.slice(300)), {
      onProgress: (stored) => seen.push(stored),
    })
    expect(report).toEqual({ added: 450, replaced: 0 })
    expect(seen).toEqual([300, 450])
    const parts = []
    for await (const part of visitors().export()) parts.push(part)
    expect(parts.length).toBeGreaterThan(2)
    const bulk = parts.flat().filter(({ slug }) => slug.startsWith('bulk-'))
    expect(bulk).toHaveLength(450)
    expect(bulk.find(({ slug }) => slug === 'bulk-7')).toEqual({
      slug: 'bulk-7',
      name: 'Bulk',
      system,
      first_message: null,
      listed: true,
    })
  })

  it('are imported all or none: a slug that is taken is named, and keeps the others out', async () => {
    await add('there')
    const parts = batches([{ slug: 'new-1', name: 'New' }], [{ slug: 'THERE', name: 'Late' }])
    await expect(visitors().import(parts)).rejects.toMatchObject({
      code: 'slug_taken',
      message: expect.stringContaining('"there"'),
    })
    expect(await rowsOf('new-1')).toEqual([])
  })

  it('are replaced where that is asked for, in the columns that are', async () => {
    await visitors().add({ slug: 'Old', name: 'Old', system: 'Prompt', firstMessage: 'Hi' })
    const parts = batches([
      { slug: 'old', name: 'Newer', firstMessage: '' },
      { slug: 'older', name: 'Older', system: 'P' },
    ])
    expect(await visitors().import(parts, { replace: ['name', 'first_message'] })).toEqual({
      added: 1,
      replaced: 1,
    })
    expect(await rowsOf('Old%')).toEqual([
      { slug: 'Old', name: 'Newer', system: 'Prompt', first_message: null, listed: false },
    ])
    expect(await rowsOf('older')).toMatchObject([{ system: 'P' }])
  })
}

describe.each(DATABASES)('visitors on $name', ({ open }) => {
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  describeVisitors()

  it('say that the database cannot be reached', async () => {
    const closed = await open()
    await closed.close()
    await expect(createVisitors(closed).add({ slug: 'a', name: 'A' })).rejects.toMatchObject({
      code: 'visitors_unreachable',
    })
  })
})
