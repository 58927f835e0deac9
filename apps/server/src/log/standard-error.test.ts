import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StandardError } from './standard-error.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'heyline-log-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('loses what a full disk does not take, and says how much once there is room', () => {
  const path = join(directory, 'log')
  const fd = openSync('/dev/full', 'w')
  const out = new StandardError(fd)
  for (const line of [1, 2, 3]) out.write(`{"line":${line}}\n`)
  // The lowest free number: the same file descriptor leads elsewhere now.
  closeSync(fd)
  expect(openSync(path, 'w')).toBe(fd)
  for (const line of [4, 5]) out.write(`{"line":${line}}\n`)
  closeSync(fd)
  const [first, lost, ...later] = readFileSync(path, 'utf8').split('\n')
  expect(first).toBe('')
  expect(JSON.parse(lost ?? '')).toMatchObject({ level: 40, lost: 3 })
  expect(later).toEqual(['{"line":4}', '{"line":5}', ''])
})
