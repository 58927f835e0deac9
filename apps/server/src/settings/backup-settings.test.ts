import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from './settings.js'

const HEYLINE_SECRET = 'q3Gm0c9XwZr5tYb7uHk2nLd8sFa4jEv6'

it('makes no backups unless somebody asks for them', () => {
  expect(readSettings({}).backups).toBeUndefined()
  expect(readSettings({ BACKUP_EVERY_HOURS: '6', HEYLINE_SECRET }).backups).toEqual({
    everyMs: 6 * 3_600_000,
    directory: join('data', 'backups'),
    keep: 7,
  })
  expect(
    readSettings({ BACKUP_EVERY_HOURS: '24', BACKUP_DIR: '/mnt/b', BACKUP_KEEP: '30', HEYLINE_SECRET })
      .backups,
  ).toEqual({ everyMs: 24 * 3_600_000, directory: '/mnt/b', keep: 30 })
})

it.each([
  [
    { BACKUP_EVERY_HOURS: '24' },
    /^HEYLINE_SECRET: is needed with BACKUP_EVERY_HOURS.*heyline secret makes one/,
  ],
  [{ BACKUP_EVERY_HOURS: '0', HEYLINE_SECRET }, /^BACKUP_EVERY_HOURS: /],
  [{ BACKUP_EVERY_HOURS: '169', HEYLINE_SECRET }, /^BACKUP_EVERY_HOURS: /],
  [{ BACKUP_KEEP: '0' }, /^BACKUP_KEEP: /],
  [{ BACKUP_DIR: '/mnt/b' }, /^BACKUP_DIR: has no effect without BACKUP_EVERY_HOURS/],
])('refuses %j', (given, message) => {
  expect(() => readSettings(given)).toThrow(message)
})
