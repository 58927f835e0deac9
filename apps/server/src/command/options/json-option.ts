/** `--json`: what is said is for programs. */
export interface Json {
  json?: boolean
}
