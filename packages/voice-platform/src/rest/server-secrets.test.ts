import { expect, it } from 'vitest'
import { withoutServerSecrets } from './server-secrets.js'

it('leaves out what is secret of servers at any depth, and nothing else', () => {
  const server = { url: 'https://a.example', secret: 'hush', headers: { a: 'b' }, timeoutSeconds: 5 }
  const open = { url: 'https://a.example', timeoutSeconds: 5 }
  const own = { secret: 'a word', server: { secret: 'theirs' } }
  const credentials = [
    { provider: 'webhook', name: 'Ours', apiKey: 'hush', authenticationPlan: { token: 'hush' } },
  ]
  expect(
    withoutServerSecrets({
      credentials,
      model: { provider: 'custom-llm', headers: { a: 'hush' }, tools: [{ server }] },
    }),
  ).toEqual({
    credentials: [{ provider: 'webhook', name: 'Ours' }],
    model: { provider: 'custom-llm', tools: [{ server: open }] },
  })
  expect(
    withoutServerSecrets({
      ...{ server, metadata: own, headers: ['a'], secret: 1, name: null, at: new Date(0) },
      squad: { members: [{ assistant: { server }, assistantOverrides: { server, variableValues: own } }] },
    }),
  ).toEqual({
    ...{ server: open, metadata: own, headers: ['a'], secret: 1, name: null, at: new Date(0) },
    squad: {
      members: [{ assistant: { server: open }, assistantOverrides: { server: open, variableValues: own } }],
    },
  })
})
