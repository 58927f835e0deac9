import type { Asked } from '../access/asked.js'
import type { GivenBy, TakenBy } from '../operations/operation.js'
import type { Operations } from '../operations/operations.js'

/** What does the operations of one noun. */
export type HandlersOf<Noun extends keyof Operations> = {
  [Verb in keyof Operations[Noun]]: (
    input: TakenBy<Operations[Noun][Verb]>,
    asked: Asked,
  ) => GivenBy<Operations[Noun][Verb]>
}

/** What does all of them. */
export type Handlers = { [Noun in keyof Operations]: HandlersOf<Noun> }
