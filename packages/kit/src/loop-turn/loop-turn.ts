/** So many values are worked on in one go. */
const SLICE = 100

/** Browsers have no `setImmediate`: the console writes lines, too. */
const inALaterTurn = (go: () => void): unknown =>
  typeof setImmediate === 'function' ? setImmediate(go) : setTimeout(go)

let last: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a later turn of the event loop, in the order in which it is asked, and of all who ask one a turn. However much long work there
 * is, whatever else happens waits for one slice of it.
 */
export function loopTurn(): Promise<void> {
  const turn = last.then(() => new Promise<void>((resolve) => inALaterTurn(resolve)))
  last = turn
  return turn
}

/** Parts of any length as parts of a hundred values at most, each in a turn of its own. */
export async function* inSlices<Value>(parts: AsyncIterable<readonly Value[]>): AsyncGenerator<Value[]> {
  for await (const part of parts)
    for (let at = 0; at < part.length; at += SLICE) {
      await loopTurn()
      yield part.slice(at, at + SLICE)
    }
}

/** What is made of each value; of more than a hundred, a hundred a turn. */
export async function mapInTurns<Value, Made>(
  values: readonly Value[],
  make: (value: Value) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  for (let at = 0; at < values.length; at += SLICE) {
    if (values.length > SLICE) await loopTurn()
    for (const value of values.slice(at, at + SLICE)) made.push(make(value))
  }
  return made
}
