import { WebCallClient } from '@heyline/web-call'
import { present } from '../caller.js'

const client = new WebCallClient({ token: 'token-of-the-bench' })
present({
  start: () => client.start({ assistant: 'assistant-of-the-bench' }),
  preload: () => client.preload('daily'),
  onCompleted: (listener) =>
    client.on('call-start-progress', ({ stage, status }) => {
      if (status === 'completed') listener(stage)
    }),
})
