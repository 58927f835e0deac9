import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSettings } from '../../settings/settings.js'
import { testDirectory } from '../../testing/heyline-command.js'
import { listCalls } from '../calls/calls-command.js'
import { pauseCalls } from '../calls/calls-switch.js'
import { tailCalls } from '../calls/calls-tail.js'
import { addNumbers } from '../dnc/dnc-command.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)
const data = join(directory, 'data')
const settings = readSettings({ DATA_DIR: data })

it.each<[string, () => Promise<void>]>([
  ['pause', () => pauseCalls(settings, {})],
  ['list', () => listCalls(settings, {})],
  ['tail', () => tailCalls(settings, {})],
  ['dnc add', () => addNumbers(settings, ['+14155552671'], {})],
])('refuses to %s where there is no data directory, and makes none', async (_, command) => {
  await expect(command()).rejects.toMatchObject({
    code: 'no_data_directory',
    message: `There is no data directory at ${data}, so there is no call desk either: set DATA_DIR to the directory of the server`,
  })
  expect(existsSync(data)).toBe(false)
})
