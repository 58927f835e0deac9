import { gzipSync } from 'node:zlib'
import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import type { FrontEndFile } from './front-end-files.js'
import { OlderFiles } from './older-files.js'

const NAME = 'page-12345678.js'

/** A database with these files, and how often it was asked. */
function stored(files: Record<string, Partial<FrontEndFile>>) {
  const clock = new ManualClock()
  const asked = { names: 0, files: 0 }
  const older = new OlderFiles({
    clock,
    published: {
      paths: async () => {
        asked.names += 1
        return Object.keys(files)
      },
      read: async (path) => {
        asked.files += 1
        const file = files[path]
        return file && { plain: null, gzip: null, brotli: null, ...file }
      },
    },
  })
  return { older, asked, clock, files }
}

it('asks the database once a second, however many names nobody has', async () => {
  const { older, asked, clock } = stored({})
  const ask = () =>
    Promise.all(
      Array.from({ length: 1000 }, (_, n) => older.find(`made-${String(n).padStart(8, '0')}.js`, 'br')),
    )
  expect(new Set(await ask())).toEqual(new Set([undefined]))
  await ask()
  expect(asked).toEqual({ names: 1, files: 0 })
  clock.advance(1000)
  await ask()
  expect(asked).toEqual({ names: 2, files: 0 })
})

it('finds what was published since, without being told', async () => {
  const { older, clock, files } = stored({})
  expect(await older.find(NAME, '')).toBeUndefined()
  files[NAME] = { plain: new Uint8Array([1]) }
  clock.advance(1000)
  expect(await older.find(NAME, '')).toEqual({ body: new Uint8Array([1]) })
})

it('reads a file once for all who ask, and gives each the form that it takes', async () => {
  const gzip = new Uint8Array(gzipSync('text'))
  const brotli = new Uint8Array([7])
  const { older, asked } = stored({ [NAME]: { gzip, brotli } })
  const forms = await Promise.all(['gzip, deflate, br', 'gzip', 'x'].map((taken) => older.find(NAME, taken)))
  expect(forms).toEqual([
    { body: brotli, encoding: 'br' },
    { body: gzip, encoding: 'gzip' },
    { body: Buffer.from('text') },
  ])
  expect(asked).toEqual({ names: 1, files: 1 })
})

it('keeps 16 MB in memory: those that were asked for last', async () => {
  const names = Array.from({ length: 5 }, (_, n) => `chunk-0000000${n}.js`)
  const { older, asked } = stored(
    Object.fromEntries(names.map((name) => [name, { plain: new Uint8Array(4_000_000) }])),
  )
  const [first = '', second = ''] = names
  for (const name of names.slice(0, 4)) await older.find(name, '')
  await older.find(first, '')
  await older.find(names[4] ?? '', '')
  expect(asked.files).toBe(5)
  await older.find(first, '')
  expect(asked.files).toBe(5)
  await older.find(second, '')
  expect(asked.files).toBe(6)
})

it('unzips a file once for those who take it plain', async () => {
  const { older } = stored({ 'chunk-00000001.js': { gzip: gzipSync('let a') } })
  const first = await older.find('chunk-00000001.js', '')
  expect(new TextDecoder().decode(first?.body)).toBe('let a')
  expect((await older.find('chunk-00000001.js', 'deflate'))?.body).toBe(first?.body)
})
