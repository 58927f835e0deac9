/** Something that was done, or was not. */
export interface Notice {
  text: string
  /** Takes back what was done. Where it rejects, that is said too. */
  undo?: () => Promise<unknown>
  /** A later notice about the same takes its place. */
  about?: string
  /** Something was not done. */
  isBad?: boolean
}
