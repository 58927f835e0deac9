import { DATABASES } from '@heyline/database/testing'
import { describeSigningIn } from './signing-in.contract.js'
import { builtInEnd, hostedEnd } from './testing/auth-end.js'

for (const { name, open } of DATABASES) {
  describeSigningIn(`${name}, at our own end`, async () => builtInEnd(await open()))
  describeSigningIn(`${name}, at a Supabase project`, async () => hostedEnd(await open()))
  describeSigningIn(`${name}, at a project that signs with a secret`, async () =>
    hostedEnd(await open(), { alg: 'HS256' }),
  )
}
