import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bufferedTerminal } from '../../testing/buffered-terminal.js'
import { testDirectory } from '../../testing/heyline-command.js'
import { listCalls } from '../calls/calls-command.js'
import { pauseCalls } from '../calls/calls-switch.js'
import { tailCalls } from '../calls/calls-tail.js'
import { addNumbers } from '../dnc/dnc-command.js'
import { contextOf } from '../terminal/terminal.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)
const data = join(directory, 'data')
const context = contextOf(bufferedTerminal({ DATA_DIR: data }))

it.each<[string, () => Promise<void>]>([
  ['pause', () => pauseCalls(context, {})],
  ['list', () => listCalls(context, {})],
  ['tail', () => tailCalls(context, {})],
  ['dnc add', () => addNumbers(context, ['+14155552671'], {})],
])('refuses to %s where there is no data directory, and makes none', async (_, command) => {
  await expect(command()).rejects.toMatchObject({
    code: 'no_data_directory',
    message: `There is no data directory at ${data}, so there is no call desk either: set DATA_DIR to the directory of the server`,
  })
  expect(existsSync(data)).toBe(false)
})
