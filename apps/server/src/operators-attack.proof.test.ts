import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS } from './testing/auth-attack/attack.js'
import { AIMS, HOLES } from './testing/auth-attack/holes.js'
import { Target } from './testing/auth-attack/target.js'

describe.each(DATABASES)('an attack on accounts and operators, on $name', ({ open }) => {
  let target: Target
  beforeAll(async () => {
    target = await Target.open(open)
  })
  afterAll(() => target.close())

  it.each(AIMS)('finds nothing: %s', async (aim) => {
    expect(await PROGRAMS[aim](target)).toEqual([])
    expect(target.errors).toEqual([])
  })

  it.each(AIMS)('can fail: %s', async (aim) => {
    const findings = await target.withHole(HOLES[aim], () => PROGRAMS[aim](target))
    expect(findings.length).toBeGreaterThan(0)
  })
})
