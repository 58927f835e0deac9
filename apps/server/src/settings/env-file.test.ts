import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDirectory } from '../testing/heyline-command.js'
import { takeEnvFile } from './env-file.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)
beforeEach(() => {
  rmSync(join(directory, '.env'), { recursive: true, force: true })
})
const write = (text: string | Uint8Array, name = '.env') => writeFileSync(join(directory, name), text)

it('takes nothing, and says nothing, where there is no file', () => {
  const env = { PORT: '1' }
  expect(takeEnvFile(env, directory)).toBeUndefined()
  expect(env).toEqual({ PORT: '1' })
})

it('adds what the file says, and says how much', () => {
  const env = {}
  write('PORT=3001\nHOST=::1\n')
  expect(takeEnvFile(env, directory)).toBe('Reading 2 settings from .env')
  expect(env).toEqual({ PORT: '3001', HOST: '::1' })
})

it('leaves what the environment has, also an empty value, and names it', () => {
  const env = { PORT: '1', HOST: '' }
  write('PORT=3001\nHOST=::1\nDATA_DIR=x')
  expect(takeEnvFile(env, directory)).toBe(
    'Reading 3 settings from .env; the environment has its own PORT, HOST',
  )
  expect(env).toEqual({ PORT: '1', HOST: '', DATA_DIR: 'x' })
})

it('reads another file where ENV_FILE names one, and no .env beside it', () => {
  write('PORT=1')
  write('PORT=2', 'other')
  const env: NodeJS.ProcessEnv = { ENV_FILE: 'other' }
  expect(takeEnvFile(env, directory)).toBe('Reading 1 setting from other')
  expect(env.PORT).toBe('2')
})

it('reads none with ENV_FILE=off, and the usual one where it is empty', () => {
  write('PORT=1')
  expect(takeEnvFile({ ENV_FILE: 'off' }, directory)).toBeUndefined()
  expect(takeEnvFile({ ENV_FILE: '' }, directory)).toBe('Reading 1 setting from .env')
})

it('passes over a folder of that name, which nobody named', () => {
  mkdirSync(join(directory, '.env'))
  expect(takeEnvFile({}, directory)).toBeUndefined()
})

it('says why a file can not be read', () => {
  const at = (name: string) => join(directory, name)
  expect(() => takeEnvFile({ ENV_FILE: 'nope' }, directory)).toThrow(
    `ENV_FILE: ${at('nope')} can't be read: there is no such file`,
  )
  expect(() => takeEnvFile({ ENV_FILE: '.' }, directory)).toThrow("can't be read: it is a folder")
  write(new Uint8Array([0xff, 0xfe, 0x50, 0x00]))
  expect(() => takeEnvFile({}, directory)).toThrow(".env: can't be read: it is no UTF-8 text")
})

it('takes nothing of a file with a line that can not be read', () => {
  const env = {}
  write('PORT=1\nHOST')
  expect(() => takeEnvFile(env, directory)).toThrow('.env, line 2: is no NAME=value')
  expect(env).toEqual({})
})
