import { expect, it, vi } from 'vitest'
import { takeEnvFile } from './env-file.js'

const files = vi.hoisted(() => ({ isFolderClosed: false }))
const refused = () => Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  readFileSync: () => {
    throw refused()
  },
  statSync: () => {
    if (files.isFolderClosed) throw refused()
    return {}
  },
}))

it('takes nothing in a folder that is closed to this user, unless a file there was named', () => {
  files.isFolderClosed = true
  expect(takeEnvFile({}, '/root')).toBeUndefined()
  expect(() => takeEnvFile({ ENV_FILE: '.env' }, '/root')).toThrow("can't be read: this user may not")
})

it('says so where there is a file that this user may not read', () => {
  files.isFolderClosed = false
  expect(() => takeEnvFile({}, '/root')).toThrow(".env: can't be read: this user may not")
})
