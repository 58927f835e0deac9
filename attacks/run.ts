// npm run attacks [-- name…]: carries the attacks out, each against a server of its own, and prints what each got beside what it got
// before there was a bound. HEYLINE_COMMAND names the `heyline.js` of another build, to attack that.
import { carriedOut } from './attack.js'
import { ATTACKS } from './attacks.js'
import { Target } from './target.js'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in ATTACKS))
if (unknown.length > 0) {
  console.error(`There is no attack ${unknown.join(', ')}; there are ${Object.keys(ATTACKS).join(', ')}`)
  process.exit(1)
}
let failed = 0
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`\n${name}: ${attack.aim}`)
  const target = await Target.start(attack.settings)
  try {
    for (const { what, before, got, most, unit } of await carriedOut(attack, target)) {
      const isKept = got <= most
      if (!isKept) failed += 1
      const value = `${Math.round(got * 10) / 10}${unit ? ` ${unit}` : ''}`
      console.log(`  ${isKept ? '' : 'NOT BOUNDED: '}${what}: ${value}, at most ${most}; before: ${before}`)
    }
  } catch (error) {
    failed += 1
    console.log(`  FAILED: ${error instanceof Error ? error.message : error}`)
  } finally {
    await target.stop()
  }
}
process.exitCode = failed === 0 ? 0 : 1
