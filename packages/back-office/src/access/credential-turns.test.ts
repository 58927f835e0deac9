import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { CredentialTurns } from './credential-turns.js'

/** A look-up that ends when it is told. */
function held() {
  let end: (found: string | undefined) => void = () => undefined
  const found = new Promise<string | undefined>((resolve) => {
    end = resolve
  })
  return { look: () => found, end }
}
const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

it('looks made-up credentials up one by one', async () => {
  const turns = new CredentialTurns()
  let running = 0
  let most = 0
  const tries = Array.from({ length: 50 }, (_, place) =>
    turns.run(`guess-${place}`, `192.0.2.${place}`, async () => {
      most = Math.max(most, ++running)
      await soon()
      running -= 1
      return undefined
    }),
  )
  await Promise.all(tries)
  expect(most).toBe(1)
})

it('lets one that was good wait for nobody, for ten minutes', async () => {
  const clock = new ManualClock(0)
  const turns = new CredentialTurns(clock)
  await turns.run('good', '192.0.2.1', async () => 'found')
  const flood = held()
  const waiting = turns.run('guess', '198.51.100.1', flood.look)
  clock.advance(9 * 60_000)
  expect(await turns.run('good', '192.0.2.1', async () => 'found')).toBe('found')
  clock.advance(10 * 60_000)
  let isIn = false
  const late = turns.run('good', '192.0.2.1', async () => {
    isIn = true
    return 'found'
  })
  await soon()
  expect(isIn).toBe(false)
  flood.end(undefined)
  await Promise.all([waiting, late])
})

it('forgets one that is good no longer', async () => {
  const turns = new CredentialTurns()
  await turns.run('key', '192.0.2.1', async () => 'found')
  await expect(turns.run('key', '192.0.2.1', () => Promise.reject(new Error('revoked')))).rejects.toThrow()
  const flood = held()
  const waiting = turns.run('guess', '198.51.100.1', flood.look)
  let isIn = false
  const again = turns.run('key', '192.0.2.1', async () => {
    isIn = true
    return 'found'
  })
  await soon()
  expect(isIn).toBe(false)
  flood.end(undefined)
  await Promise.all([waiting, again])
})

it('refuses when too many of one address wait', async () => {
  const turns = new CredentialTurns()
  const flood = held()
  const tries = Array.from({ length: 102 }, (_, place) =>
    turns.run(`guess-${place}`, '192.0.2.1', flood.look),
  )
  const refused = tries.at(-1)?.catch((error: unknown) => error)
  expect(await refused).toMatchObject({ code: 'too_many_attempts', waitSeconds: 1 })
  flood.end(undefined)
  await Promise.allSettled(tries)
})
