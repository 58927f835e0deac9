/** One of a few, however it is drawn. */
export interface ChoiceProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  value: NoInfer<Value>
  choose(value: NoInfer<Value>): void
}
