import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { AttackedServer } from '../../attacks/attacked-server.js'
import { FLOODS } from '../../attacks/floods.js'

const PER_SECOND = 125
const MOST_AT_ONCE = 40

/**
 * A process of its own, so that the honest visitor's clock does not wait for the attacker's work. It is told the flood's name and what is
 * known of the server, says when the first step is over or a second has passed, goes on until it is told to stop, and answers with how many steps it began.
 */
// An attacker brings a machine of his own: what his work takes of this one must not count.
setPriority(constants.priority.PRIORITY_LOW)
const [name = '', known = ''] = process.argv.slice(2)
const flood = FLOODS[name]
if (!flood) throw new Error(`There is no flood ${name}`)
const { perSecond = PER_SECOND, atOnce = MOST_AT_ONCE } = flood

let isOver = false
let [begun, underWay] = [0, 0]
process.once('message', () => {
  isOver = true
})

const step = await flood.begin(new AttackedServer(JSON.parse(known)))
const began = performance.now()
// Where a step takes long, the attack is under way before the first is over.
void Promise.race([take(), delay(1_000)]).then(() => process.send?.('begun'))
while (!isOver) {
  const due = ((performance.now() - began) / 1000) * perSecond
  while (begun <= due && underWay < atOnce) void take()
  await delay(5)
}
process.send?.(begun, () => process.exit())

/** Resolves when the next step is over; what came of it does not matter, nor whether it was cut. */
async function take(): Promise<void> {
  underWay += 1
  await step(begun++).catch(() => undefined)
  underWay -= 1
}
