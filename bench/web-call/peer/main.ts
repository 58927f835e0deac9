import vapi from '@vapi-ai/web'
import { present } from '../caller.js'

/** It is a CommonJS module: bundlers that go by Node's rules give its exports as the default one. */
const Vapi = 'default' in vapi ? (vapi.default as typeof vapi) : vapi
const client = new Vapi('token-of-the-bench')
present({
  start: () => client.start('assistant-of-the-bench'),
  preload: async () => {},
  onCompleted: (listener) =>
    client.on('call-start-progress', ({ stage, status }) => {
      if (status === 'completed') listener(stage)
    }),
})
