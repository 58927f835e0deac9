import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { HEYLINE, testDirectory } from '../testing/heyline-command.js'
import { listeningUrl } from '../testing/listening-url.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)

/** The command where a file of this text is, as a person runs it. */
function inFolderWith(text: string, words: string[], environment: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(directory, 'folder-'))
  writeFileSync(join(cwd, '.env'), text)
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn(process.execPath, [HEYLINE, ...words], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said.out += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said.err += part
  })
  return { cwd, child, said, ended: once(child, 'close').then(([code]) => ({ code, ...said })) }
}

const SECRET = 'HEYLINE_SECRET=k7Qm2Zp9Xw4Rt6Yb8Nc1Vd3Hf5Jg0LsAeUi\n'

it('is read by the server, which says so first, and the environment wins', async () => {
  const text = 'PORT=1\nDATA_DIR=./here\nCOMPANY_NAME="Ada & Sons" # as heard\n'
  const { cwd, child, said, ended } = inFolderWith(text, ['start'], { PORT: '0', DRAIN_SECONDS: '0' })
  expect(await listeningUrl(child)).not.toContain('localhost:1/')
  expect(said.out.split('\n')[0]).toBe('Reading 3 settings from .env; the environment has its own PORT')
  expect(existsSync(join(cwd, 'here/keys.json'))).toBe(true)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

it('is read by the other commands, which say so beside the result', async () => {
  const { code, out, err } = await inFolderWith(SECRET, ['keys']).ended
  expect({ code, err }).toEqual({ code: 0, err: 'Reading 1 setting from .env\n' })
  expect(out).toContain('HEYLINE_SECRET')
})

it('is read without a word with --json', async () => {
  const { code, out, err } = await inFolderWith(`${SECRET}SUPABASE_SECRET_KEY=of-the-file`, [
    'keys',
    '--json',
  ]).ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out).secret).toBe('of-the-file')
})

it('stops the command where a line can not be read, and says which', async () => {
  const text = 'PORT=0\nPHONE_KEY\n'
  expect(await inFolderWith(text, ['start']).ended).toEqual({
    code: 1,
    out: '',
    err: 'heyline: .env, line 2: is no NAME=value, where a name has letters, digits and _\n',
  })
  const { code, err } = await inFolderWith(text, ['keys', '--json']).ended
  expect(code).toBe(1)
  expect(JSON.parse(err).error).toMatchObject({ code: 'invalid_setting', setting: '.env, line 2' })
})

it('is not read for help, nor where ENV_FILE is off, as for the servers of tests', async () => {
  expect((await inFolderWith('PORT', ['--help']).ended).code).toBe(0)
  expect(await inFolderWith('PORT', ['keys'], { ENV_FILE: 'off' }).ended).toMatchObject({ code: 0, err: '' })
})
