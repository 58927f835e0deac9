import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { testDirectory } from '../../testing/test-directory.js'
import { writeBeside } from './new-file.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)

const steps: string[] = []
vi.mock('node:fs/promises', async (original) => {
  const real = await original<{ open: typeof open; rename: typeof rename }>()
  return {
    ...real,
    open: async (...words: Parameters<typeof open>) => {
      const handle = await real.open(...words)
      const sync = handle.sync.bind(handle)
      const writeFile = handle.writeFile.bind(handle)
      handle.writeFile = async (part) => {
        if (part === 'too much') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        await writeFile(part)
      }
      handle.sync = async () => {
        steps.push(`sync ${String(words[0]).endsWith('.partial') ? 'draft' : words[0]}`)
        await sync()
      }
      return handle
    },
    rename: async (...words: Parameters<typeof rename>) => {
      steps.push(`rename to ${words[1]}`)
      await real.rename(...words)
    },
  }
})

async function* texts(...parts: string[]) {
  for (const part of parts) {
    if (part === 'fail') throw new Error('no more')
    yield part
  }
}

it('has the text on the disk before its name, and the name when it is done', async () => {
  const file = join(directory, 'new')
  await writeBeside(file, texts('a', 'b'))
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['ab', 0o600])
  expect(steps).toEqual(['sync draft', `rename to ${file}`, `sync ${directory}`])
})

it('leaves an older file as it was where it fails', async () => {
  const file = join(directory, 'older')
  writeFileSync(file, 'older')
  await expect(writeBeside(file, texts('a', 'fail'))).rejects.toThrow('no more')
  expect(readFileSync(file, 'utf8')).toBe('older')
  expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([])
})

it('says in a sentence that its disk is full, and leaves nothing behind', async () => {
  const file = join(directory, 'large')
  await expect(writeBeside(file, texts('a', 'too much'))).rejects.toThrow(
    `${file} can't be written: no room is left on its disk`,
  )
  expect(readdirSync(directory).filter((name) => name.includes('large'))).toEqual([])
})

it('says in a sentence where no file can be, and leaves nothing behind', async () => {
  const folder = join(directory, 'folder')
  mkdirSync(folder)
  const refusal = (file: string) => writeBeside(file, texts('a')).catch((error: Error) => error.message)
  expect(await refusal(folder)).toBe(`${folder} can't be written: it is a folder`)
  expect(await refusal('/nope/x.csv')).toBe("/nope/x.csv can't be written: its folder is not there")
  const below = join(directory, 'older', 'x.csv')
  expect(await refusal(below)).toBe(`${below} can't be written: its folder is a file`)
  expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([])
})
