import type { OperationRow } from '../api/operation.js'
import type { Resources } from '../resources/resources.js'

/** Resources by the names of the table, a resource of a resource as `testSuites.runs`. */
type Flat = Omit<Resources, 'testSuites'> & {
  readonly testSuites: Omit<Resources['testSuites'], 'tests' | 'runs'>
  readonly 'testSuites.tests': Resources['testSuites']['tests']
  readonly 'testSuites.runs': Resources['testSuites']['runs']
}

/** The names of a resource's methods that answer with a promise: each is an operation. */
type Promising<R> = {
  [N in keyof R]: R[N] extends (...input: never[]) => Promise<unknown> ? N : never
}[keyof R]

/** The names of its other methods, which walk through pages or stream: each stands in the row of an operation. */
type Iterating<R> = Exclude<keyof R, Promising<R>>

/** A row for every method with a type, under its name; a missing or misspelt one does not compile. */
export type RowsOf = {
  readonly [R in keyof Flat]: {
    readonly [N in Promising<Flat[R]>]: OperationRow & {
      readonly pages?: Iterating<Flat[R]>
      readonly stream?: Iterating<Flat[R]>
    }
  }
}
