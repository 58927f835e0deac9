import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { checkDataDirectory } from './data-directory-check.js'
import { examine } from './doctor.js'
import type { Finding } from './finding.js'

const directory = mkdtempSync(join(tmpdir(), 'heyline-doctor-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What is said of one thing. */
const of = (findings: Finding[], check: string) => findings.filter((finding) => finding.check === check)

describe('the data directory', () => {
  const place = join(directory, 'place')
  const check = (free = 10e9) => checkDataDirectory(place, () => free)
  const statusOf = async (check: string) =>
    of(await examine({ PORT: '0', DATA_DIR: place }), check).map(({ status }) => status)
  afterEach(() => rmSync(place, { recursive: true, force: true }))

  it('is ours alone', () => {
    mkdirSync(place, { mode: 0o700 })
    expect(of(check(), 'data directory').map(({ status }) => status)).toEqual(['ok'])
  })

  it('is open to others, and so are its files', () => {
    mkdirSync(place)
    chmodSync(place, 0o755)
    writeFileSync(join(place, 'keys.json'), '{}', { mode: 0o644 })
    expect(of(check(), 'data directory')).toEqual([
      expect.objectContaining({ status: 'warn', mend: `chmod 700 ${place}` }),
      expect.objectContaining({ status: 'warn', mend: `chmod 600 ${join(place, 'keys.json')}` }),
    ])
  })

  it.runIf(process.getuid?.() === 0)('belongs to somebody else', () => {
    mkdirSync(place, { mode: 0o700 })
    chownSync(place, 65534, 65534)
    expect(check()[0]).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/belongs to user 65534/),
    })
  })

  it('is a file', async () => {
    writeFileSync(place, '')
    expect(check()).toEqual([expect.objectContaining({ status: 'fail' })])
    expect(await statusOf('data directory')).toEqual(['fail'])
  })

  it.each([
    [2e9, 'ok'],
    [5e8, 'warn'],
    [5e7, 'fail'],
  ])('has %d free bytes: %s', (free, status) => {
    mkdirSync(place, { mode: 0o700 })
    expect(of(check(free), 'disk space')[0]?.status).toBe(status)
  })

  it('holds keys that can not be read', async () => {
    mkdirSync(place, { mode: 0o700 })
    writeFileSync(join(place, 'keys.json'), 'not keys', { mode: 0o600 })
    expect(await statusOf('keys')).toEqual(['fail'])
  })
})
