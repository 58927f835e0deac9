/** Who counts what the desk decides. Every method must be quick, and never throws. */
export interface DeskMeasures {
  /** The gate has refused a call, stored or not, or an operator's switch has before it was dialled. `refusal` is one of `REFUSALS`. */
  refused(kind: 'phone' | 'web', direction: 'out' | 'in', refusal: string): void
}
