import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OwnFiles } from './own-files.js'

let directory: string
let clock: ManualClock
let files: OwnFiles
const folder = (name: string) => join(directory, name)
const write = (path: string, text: string) => writeFileSync(join(directory, path), text)
const textOf = async (path: string, accepted?: string) => {
  const found = await files.find(path, accepted)
  return found && [Buffer.from(found.body).toString(), found.encoding]
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heyline-own-files-'))
  mkdirSync(join(directory, 'one/flags'), { recursive: true })
  mkdirSync(join(directory, 'two'))
  clock = new ManualClock()
  files = new OwnFiles(['one', 'two', 'none'].map(folder), clock)
  write('one/a-12345678.js', 'plain')
  write('one/a-12345678.js.br', 'brotli')
  write('two/a-12345678.js', 'of another folder')
  write('two/a-12345678.js.gz', 'of another folder')
  write('one/flags/DE.svg', 'flag')
})
afterEach(() => rmSync(directory, { recursive: true }))

it('serves the form that the browser takes, of the first folder that has the file', async () => {
  expect(await textOf('a-12345678.js', 'gzip, br')).toEqual(['brotli', 'br'])
  expect(await textOf('a-12345678.js', 'gzip')).toEqual(['plain', undefined])
  expect(await textOf('flags/DE.svg')).toEqual(['flag', undefined])
})

it('reads a file that never changes once, however often it is asked for', async () => {
  await textOf('a-12345678.js')
  rmSync(directory, { recursive: true })
  clock.advance(60_000)
  expect(await textOf('a-12345678.js')).toEqual(['plain', undefined])
  mkdirSync(directory)
})

it('reads what keeps its name again after a second', async () => {
  await textOf('flags/DE.svg')
  write('one/flags/DE.svg', 'new')
  expect(await textOf('flags/DE.svg')).toEqual(['flag', undefined])
  clock.advance(1_000)
  expect(await textOf('flags/DE.svg')).toEqual(['new', undefined])
})

it('finds what has come since, and nothing outside', async () => {
  write('outside-12345678.js', 'outside')
  for (const path of ['b-12345678.js', '../outside-12345678.js', 'flags', 'a-12345678.js\0', ''])
    expect(await textOf(path)).toBeUndefined()
  write('two/b-12345678.js', 'b')
  expect(await textOf('b-12345678.js')).toBeUndefined()
  clock.advance(1_000)
  expect(await textOf('b-12345678.js')).toEqual(['b', undefined])
})
