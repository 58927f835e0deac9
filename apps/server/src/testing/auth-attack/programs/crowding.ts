import { AUTH, type Target } from '../target.js'

/** So many connections, and rounds of each. */
const CONNECTIONS = 24
const ROUNDS = 6
const SIGN_INS = 4

/** Does somebody with the least role keep an owner, who knows the password, from signing in? He chooses the password that he has. */
export async function crowd(at: Target): Promise<string[]> {
  const [owner, viewer] = [await at.operator('owner'), await at.operator('viewer')]
  const address = at.address()
  await at.signIn(owner, { address })
  const { access } = await at.signIn(viewer)
  const from = at.address()
  const { password } = viewer
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      await at.ask('PUT', `${AUTH}/user`, { token: access, body: { password }, address: from })
  })
  const findings: string[] = []
  for (let tries = 0; tries < SIGN_INS; tries += 1)
    await at.signIn(owner, { address }).catch((error: Error) => findings.push(error.message))
  await Promise.all(flood)
  return findings
}
