/** Loads a room's code once, when it is first asked for; a load that failed is tried again the next time. */
export function lazily<Code>(load: () => Promise<Code>): () => Promise<Code> {
  let loading: Promise<Code> | undefined
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined
      throw new Error('The code of the call room could not be loaded. Check the network and start again.', {
        cause,
      })
    })
    return loading
  }
}
