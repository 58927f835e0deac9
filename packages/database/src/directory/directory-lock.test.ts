import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirectoryLocked, lockDirectory } from './directory-lock.js'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heyline-lock-'))
  file = join(directory, 'lock')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const leave = (owner: Record<string, unknown>): void => writeFileSync(file, JSON.stringify(owner))
const mine = (): Record<string, unknown> => {
  const free = lockDirectory(directory)
  const owner = JSON.parse(readFileSync(file, 'utf8'))
  free()
  return owner
}

describe('lockDirectory', () => {
  it('names its owner, and leaves nothing behind when freed', () => {
    const free = lockDirectory(directory)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
    expect(() => lockDirectory(directory)).toThrow(DataDirectoryLocked)
    free()
    free()
    expect(readdirSync(directory)).toEqual([])
  })

  it('takes over from a process that is gone', () => {
    leave({ ...mine(), pid: 2 ** 22 + 1 })
    lockDirectory(directory)()
  })

  it('takes over from a process whose id another one has now', () => {
    leave({ ...mine(), started: '1' })
    lockDirectory(directory)()
  })

  it.each(['', '{', '{"pid":"1"}', 'null'])('takes over a lock that says nothing (%j)', (text) => {
    writeFileSync(file, text)
    lockDirectory(directory)()
  })

  it('does not judge a process of another machine', () => {
    leave({ ...mine(), pid: 2 ** 22 + 1, host: 'elsewhere.example' })
    expect(() => lockDirectory(directory)).toThrow(/on elsewhere\.example.*remove .*lock/)
    expect(existsSync(file)).toBe(true)
  })

  it('frees only its own lock', () => {
    const free = lockDirectory(directory)
    leave({ pid: 1, host: 'elsewhere.example', started: '1' })
    free()
    expect(existsSync(file)).toBe(true)
  })
})
