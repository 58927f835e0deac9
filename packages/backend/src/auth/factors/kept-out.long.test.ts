import { expect, it } from 'vitest'
import { describeFactors, outcome } from '../../testing/factors.js'

const OWN = '192.0.2.1'
const NEIGHBOUR = '192.0.2.200'
const FAR = '198.51.100.7'

describeFactors('somebody who has the password alone', (at) => {
  async function victim() {
    const email = await at.anyone()
    const owner = await at.wire.signIn(email, OWN)
    const { factorId, secret } = await at.verified(owner)
    const codes = await at.recoveryCodes(owner)
    /** Signs in from there, and gives a code. */
    const give = async (address: string, code: string) => {
      const { mfa } = (await at.wire.signIn(email, address)).auth
      // A recovery code needs no challenge.
      const asked = code.includes('-')
        ? mfa.verify({ factorId, challengeId: factorId, code })
        : mfa.challengeAndVerify({ factorId, code })
      return (await outcome(asked)).slice(0, 3)
    }
    /** Wrong codes until one is refused unseen. */
    const lock = async (address: string) => {
      for (let n = 0; n < 5; n += 1) expect(await give(address, at.wrong(secret))).toBe('422')
      expect(await give(address, at.shown(secret))).toBe('429')
    }
    return { give, lock, secret, codes }
  }

  it.each([FAR, NEIGHBOUR])(
    'locks neither the codes of an owner at his own address nor recovery codes: %s',
    async (address) => {
      const { give, lock, secret, codes } = await victim()
      await lock(address)
      expect(await give(OWN, at.wrong(secret))).toBe('422')
      expect(await give(OWN, at.shown(secret))).toBe('ok')
      await lock(address)
      expect(await give('203.0.113.9', codes[0] ?? '')).toBe('ok')
    },
  )

  it('makes no place known: only the second factor does', async () => {
    const { give, lock, secret } = await victim()
    // From one network after the other the factor is locked all the same.
    for (let n = 0; n < 5; n += 1) expect(await give(`198.51.${n}.1`, at.wrong(secret))).toBe('422')
    expect(await give('198.51.77.1', at.wrong(secret))).toBe('429')
    expect(await give('198.51.0.1', at.wrong(secret))).toBe('429')
    expect(await give(OWN, at.shown(secret))).toBe('ok')
    await lock(FAR)
  })

  it('guesses recovery codes as often as codes, and locks them at one place only', async () => {
    const { give, secret, codes } = await victim()
    for (let n = 0; n < 5; n += 1) expect(await give(FAR, '0000-0000-0000-0000')).toBe('422')
    expect(await give(FAR, codes[0] ?? '')).toBe('429')
    expect(await give('203.0.113.9', codes[0] ?? '')).toBe('ok')
    expect(await give(FAR, at.shown(secret))).toBe('ok')
  })
})
