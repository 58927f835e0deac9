/** A switch of a regular expression. All are off by default. */
export interface RegexOption {
  type: 'ignore-case' | 'whole-word' | 'multi-line'
  enabled: boolean
}
