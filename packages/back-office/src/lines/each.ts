/** One value after another, for whoever takes them as they come. */
export async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values
}
