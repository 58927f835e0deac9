import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model, ModelMessage } from './engine.js'

export interface ModelBench {
  model: Model
  close(): Promise<void>
}

const CONVERSATION: readonly ModelMessage[] = Object.freeze([
  { role: 'system', content: 'You are friendly. We sell green tea. The shop opens at nine.' },
  { role: 'assistant', content: 'Welcome!' },
  { role: 'user', content: 'Do you sell tea?' },
])

/** What every model does. */
export function describeModel(name: string, open: () => Promise<ModelBench>): void {
  describe(`${name} is a model`, () => {
    let bench: ModelBench
    beforeAll(async () => {
      bench = await open()
    })
    afterAll(() => bench.close())

    const reply = async (messages = CONVERSATION, signal = new AbortController().signal) => {
      let text = ''
      const options = { signal, model: 'gpt-4o-mini', maxTokens: 250 }
      for await (const piece of bench.model.reply(messages, options)) text += piece
      return text
    }

    it('has a name', () => {
      expect(bench.model.name).not.toBe('')
    })

    it('replies with words, and leaves the conversation as it is', async () => {
      const before = structuredClone(CONVERSATION)
      expect((await reply()).trim()).toMatch(/\w{2,}/)
      expect(CONVERSATION).toEqual(before)
    })

    it('replies to several conversations at once', async () => {
      const replies = await Promise.all([reply(), reply(), reply()])
      expect(new Set(replies).size).toBe(1)
    })

    it('replies to speech whose words are not known, and to nothing', async () => {
      const unheard: ModelMessage[] = [{ role: 'user', content: '[unintelligible speech, 1.2 s]' }]
      expect((await reply(unheard)).trim()).not.toBe('')
      expect((await reply([])).trim()).not.toBe('')
    })

    it('does nothing when it is aborted before it began', async () => {
      const reason = new Error('never mind')
      await expect(reply(CONVERSATION, AbortSignal.abort(reason))).rejects.toBe(reason)
    })

    it('can be left in the middle', async () => {
      const { signal } = new AbortController()
      for await (const piece of bench.model.reply(CONVERSATION, { signal, model: 'gpt-4o-mini' })) {
        expect(piece).not.toBe('')
        break
      }
      expect(await reply()).not.toBe('')
    })
  })
}
