import { expect, it } from 'vitest'
import { carriedOut } from './attack.js'
import { ATTACKS } from './attacks.js'
import { Target } from './target.js'

it.each(Object.values(ATTACKS))('an attack on $aim', async (attack) => {
  const target = await Target.start(attack.settings)
  try {
    const figures = await carriedOut(attack, target)
    const beyond = figures.filter(({ got, most }) => !(got <= most))
    expect(beyond).toEqual([])
    expect(await target.page('203.0.113.99')).toBe(200)
    expect(target.errors).toEqual([])
  } finally {
    await target.stop()
  }
})
