import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ATTACKS } from './attacks.js'
import { FLOODS } from './floods.js'

const BENCH = readFileSync(new URL('../bench/README.md', import.meta.url), 'utf8')

it.each(Object.keys(ATTACKS))('%s is measured from beside, or bench/README.md says why not', (name) => {
  expect(name in FLOODS).not.toBe(BENCH.includes(`\`${name}\``))
})
