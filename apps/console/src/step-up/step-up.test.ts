import { expect, it, vi } from 'vitest'
import type { Proof } from '../wire/session-wire.js'
import { StepUp, StepUpCancelled } from './step-up.js'

const factorId = '00000000-0000-4000-8000-000000000001'

class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** A server that wants a fresh second factor until it gets the right one. */
function server() {
  let isFresh = false
  const stepUp = new StepUp(async (proof: Proof) => {
    if (!('code' in proof) || proof.code !== '123456') throw new Refused('mfa_verification_failed')
    isFresh = true
  })
  const work = vi.fn(async () => {
    if (!isFresh) throw new Refused('step_up_needed')
    return 'done'
  })
  return { stepUp, work }
}

it('asks where the server wants it, and does the work again', async () => {
  const { stepUp, work } = server()
  const running = stepUp.run(work)
  await vi.waitFor(() => expect(stepUp.get()).toBeDefined())
  await stepUp.confirm({ code: '123456', factorId })
  expect(await running).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
  expect(stepUp.get()).toBeUndefined()
})

it('goes on asking after a wrong code', async () => {
  const { stepUp, work } = server()
  const running = stepUp.run(work)
  await vi.waitFor(() => expect(stepUp.get()).toBeDefined())
  await expect(stepUp.confirm({ code: '000000', factorId })).rejects.toThrow('mfa_verification_failed')
  expect(stepUp.get()).toBeDefined()
  await stepUp.confirm({ code: '123456', factorId })
  expect(await running).toBe('done')
})

it('asks once for all that wait', async () => {
  const { stepUp, work } = server()
  const both = Promise.all([stepUp.run(work), stepUp.run(work)])
  await vi.waitFor(() => expect(stepUp.get()).toBeDefined())
  await stepUp.confirm({ code: '123456', factorId })
  expect(await both).toEqual(['done', 'done'])
})

it('rejects what was begun when the operator does not confirm, and asks anew the next time', async () => {
  const { stepUp, work } = server()
  const running = stepUp.run(work)
  await vi.waitFor(() => expect(stepUp.get()).toBeDefined())
  stepUp.cancel()
  await expect(running).rejects.toBeInstanceOf(StepUpCancelled)
  expect(stepUp.get()).toBeUndefined()
  const again = stepUp.run(work)
  await vi.waitFor(() => expect(stepUp.get()).toBeDefined())
  stepUp.cancel()
  await expect(again).rejects.toBeInstanceOf(StepUpCancelled)
})

it('leaves every other refusal alone', async () => {
  const { stepUp } = server()
  await expect(stepUp.run(() => Promise.reject(new Refused('forbidden')))).rejects.toThrow('forbidden')
  expect(stepUp.get()).toBeUndefined()
})
