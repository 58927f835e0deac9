import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startThreadEarly } from '@heyline/database/pglite-thread'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Terminal } from '../command/terminal/terminal.js'
import { headStart } from './head-start.js'

vi.mock('@heyline/database/pglite-thread', () => ({ startThreadEarly: vi.fn() }))

let directory: string
beforeEach(() => {
  vi.mocked(startThreadEarly).mockClear()
  directory = mkdtempSync(join(tmpdir(), 'heyline-head-start-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const starts = (words: string[], env: NodeJS.ProcessEnv = {}) => {
  headStart(words, { env, directory } as Terminal)
  return vi.mocked(startThreadEarly).mock.calls.length
}
const envFile = (text: string) => writeFileSync(join(directory, '.env'), text)

it('begins the thread of a database where a server starts on PGlite', () => {
  envFile('PORT=3001\n')
  expect(starts(['start'])).toBe(1)
})

it('begins none where a Postgres is named, in the environment or in its file', () => {
  const postgres = { DATABASE_URL: 'postgres://localhost/heyline' }
  expect(starts(['start'], postgres)).toBe(0)
  envFile(`DATABASE_URL=${postgres.DATABASE_URL}\n`)
  const env = {}
  expect(starts(['start'], env)).toBe(0)
  expect(env).toEqual({})
  expect(starts(['start'], { DATABASE_URL: '' })).toBe(1)
})

it('begins none for the other commands, nor for one that only says how it is used', () => {
  expect(starts([])).toBe(0)
  expect(starts(['visitors', 'start'])).toBe(0)
  expect(starts(['start', '--help'])).toBe(0)
})

it('leaves it to the command to tell of a file that cannot be read', () => {
  mkdirSync(join(directory, 'settings'))
  expect(starts(['start'], { ENV_FILE: 'settings' })).toBe(0)
})
