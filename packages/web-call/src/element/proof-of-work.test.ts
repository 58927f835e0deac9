import { pbkdf2Sync } from 'node:crypto'
import { expect, it } from 'vitest'
import { solveChallenge } from './proof-of-work.js'

const NONCE = '00112233445566778899aabbccddeeff'
const SALT = 'ffeeddccbbaa99887766554433221100'

/** The key of a counter, as the server derives it. */
function keyOf(counter: number): string {
  const password = Buffer.alloc(20)
  password.write(NONCE, 'hex')
  password.writeUInt32BE(counter, 16)
  return pbkdf2Sync(password, Buffer.from(SALT, 'hex'), 3, 32, 'sha256').toString('hex')
}

const challenge = (changes = {}) => ({
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: NONCE,
    salt: SALT,
    cost: 3,
    keyPrefix: keyOf(10).slice(0, 32).toUpperCase(),
    ...changes,
  },
})

it('finds the counter whose key begins as the challenge says', async () => {
  const solution = await solveChallenge(challenge(), new AbortController().signal)
  expect(solution).toEqual({ counter: 10, derivedKey: keyOf(10) })
})

it('gives up at the end of its signal', async () => {
  await expect(solveChallenge(challenge(), AbortSignal.abort())).rejects.toThrow(/abort/)
})

it.each([{ algorithm: 'ARGON2ID' }, { keyPrefix: '' }])(
  'does not begin what has no end: %j',
  async (changes) => {
    const { signal } = new AbortController()
    await expect(solveChallenge(challenge(changes), signal)).rejects.toThrow('cannot solve a challenge')
  },
)
