import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** A network of its own, in which nothing is up but the loopback interface. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const PROGRAM = fileURLToPath(new URL('../dist/testing/loopback-call.js', import.meta.url))

const isAllowed = spawnSync('unshare', [...ALONE, 'true']).status === 0
const missing = isAllowed ? '' : ' (left out: this machine does not allow a network of its own, unshare -rn)'

describe.skipIf(!isAllowed)(`with only the loopback interface up${missing}`, () => {
  it('the server starts, serves its page and holds a call', async () => {
    const { stdout } = await promisify(execFile)('unshare', [...ALONE, process.execPath, PROGRAM])
    expect(JSON.parse(stdout)).toEqual({ interfaces: ['lo'], page: 200, code: 1000, errors: [] })
  }, 60_000)
})
