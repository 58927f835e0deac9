import { DATABASES } from '@heyline/database/testing'
import { describeOperators } from './operators.contract.js'
import { builtInEnd, hostedEnd } from './testing/auth-end.js'

for (const { name, open } of DATABASES) {
  describeOperators(`${name}, at our own end`, async () => builtInEnd(await open()))
  describeOperators(`${name}, at a Supabase project`, async () => hostedEnd(await open()))
  describeOperators(
    `${name}, at a project that signs with a secret and has errors of the old form`,
    async () => hostedEnd(await open(), { alg: 'HS256', errors: 'old' }),
  )
}
