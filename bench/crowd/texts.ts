export const TEXTS = ['repeated', 'distinct'] as const
/** The same words in every call, whose speech is kept; or words with the number of the call in them. */
export type Texts = (typeof TEXTS)[number]

export const QUESTION = 'When are you open on Saturday?'

/**
 * What the assistant of the `n`th call says: a greeting of four sentences, and to each question the offline model's own words, which
 * always come again, with a fact of the prompt.
 */
export function assistantOf(texts: Texts, n: number): object {
  const name = texts === 'repeated' ? 'our friend' : `visitor ${n}`
  return {
    firstMessage: `Hello ${name}, this is the harbour bakery. We bake bread, cakes and pies for ${name}. For ${name} we are open from seven to six. How may I help ${name}?`,
    model: {
      provider: 'openai',
      messages: [
        { role: 'system', content: `The cake that ${name} ordered is ready, and ${name} gets it at six.` },
      ],
    },
    // As long as this platform lets a call be.
    maxDurationSeconds: 43_200,
  }
}
