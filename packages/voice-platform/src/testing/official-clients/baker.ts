import type { JudgedClient } from './judged-client.js'

const MODEL = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  messages: [{ role: 'system', content: 'You sell bread.' }],
}
/** An assistant of a bakery. */
export const BAKER = { name: 'Baker', firstMessage: 'Good morning!', model: MODEL }
/** Stores it. Answers its id. */
export const baker = async (client: JudgedClient): Promise<string> =>
  (await client.one('POST /assistant', { body: BAKER })).id
