import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../../attacks/ask.js'
import { type Aim, FLOODS } from './floods.js'

/** Five hundred in four seconds: what the first attack sent. */
const PER_SECOND = 125
/** Beyond this, the attacker waits for his answers. */
const MOST_AT_ONCE = 40

/**
 * A process of its own, so that the honest visitor's clock does not wait for the attacker's work. It is told the flood's place in the list
 * and its aim, says when the first request is answered, sends until it is told to stop, and answers with how many it sent.
 */
// An attacker brings a machine of his own: what his work takes of this one must not count.
setPriority(constants.priority.PRIORITY_LOW)
const [place = '', aim = ''] = process.argv.slice(2)
const flood = FLOODS[Number(place)]
if (!flood) throw new Error(`There is no flood ${place}`)
const { url, ...known }: Aim = JSON.parse(aim)

let isOver = false
let [sent, underWay] = [0, 0]
process.once('message', () => {
  isOver = true
})

await send(sent++)
process.send?.('begun')
const began = performance.now()
while (!isOver) {
  const due = ((performance.now() - began) / 1000) * PER_SECOND
  for (; sent <= due && underWay < MOST_AT_ONCE; sent += 1) {
    underWay += 1
    void send(sent).finally(() => {
      underWay -= 1
    })
  }
  await delay(5)
}
process.send?.(sent, () => process.exit())

/** Resolves when the answer is there or the connection was cut; what it was does not matter. */
async function send(number: number): Promise<void> {
  const { from, path, ...asked } = flood?.request({ url, ...known }, number) ?? { from: '', path: '/' }
  try {
    const answer = await ask(url, from, path, asked)
    await answer.arrayBuffer()
  } catch {
    // Cut: the server would not read on.
  }
}
