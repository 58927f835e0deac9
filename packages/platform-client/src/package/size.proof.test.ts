import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../index.js'
import { brotliBytes, bundle } from '../testing/bundle.js'
import { packageFolder } from '../testing/packed-package.js'

/** The most that the whole client may weigh in a page: bundled, minified and sent as brotli. */
const limitBytes = 6_000

describe("the client in a browser's bundle", () => {
  let whole: string
  beforeAll(async () => {
    whole = await bundle("export * from '@heyline/platform-client'", packageFolder)
  })

  it(`weighs at most ${limitBytes} bytes as brotli`, () => {
    expect(brotliBytes(whole)).toBeLessThanOrEqual(limitBytes)
  })

  it('brings the table of operations only where its methods are used', async () => {
    const core = await bundle("export { PlatformCore } from '@heyline/platform-client'", packageFolder)
    expect(pathsIn(whole)).toEqual(paths)
    expect(pathsIn(core)).toEqual([])
  })
})

const paths = [...new Set(operations.map(({ path }) => path))]
const pathsIn = (code: string) => paths.filter((path) => code.includes(path))
