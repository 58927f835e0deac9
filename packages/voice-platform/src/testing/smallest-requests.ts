/** What was stored before a request, by the last part of the path that it lies at. */
export interface Stored {
  [name: string]: string
}

/** The smallest request that an operation takes, by the types of the hosted API. */
export interface SmallestRequest {
  body?: unknown
  /** With the question mark. */
  query?: string
  /** Of the path, where it is no id. */
  provider?: string
}

const CUSTOMER = { number: '+12025550142' }
const TWILIO = { twilioAccountSid: 'AC1' }
const NUMBER = '+12025550143'
const SLACK = 'slack.oauth2-authorization'
const RECORDING = 'recording.wav'

const form = (fields: Record<string, string>, name: string, file: string): FormData => {
  const made = new FormData()
  for (const [field, value] of Object.entries(fields)) made.set(field, value)
  made.set(name, new File(['We sell bread.'], file, { type: 'text/plain' }))
  return made
}

const NAMED = { body: { name: 'Bread' } }
const named = () => NAMED
const call = ({ assistant, ...stored }: Stored) => ({
  body: { assistantId: assistant, phoneNumberId: stored['phone-number'], customer: CUSTOMER },
})
const chat = ({ assistant }: Stored) => ({ body: { assistantId: assistant, input: 'Hello.', stream: false } })
const voice = () => ({
  ...{ provider: '11labs' },
  body: { ownerId: 'owner', voiceId: 'voice', name: 'Ours' },
})
const upload = () => ({ body: form({}, 'file', 'bread.txt') })
const TEST = { type: 'chat', script: 'Ask for bread.', scorers: [{ type: 'ai', rubric: 'It sells bread.' }] }

/** Of the operations that take more than a path. */
export const SMALLEST: Readonly<Record<string, (stored: Stored) => SmallestRequest>> = {
  'POST /call': call,
  'POST /call/phone': call,
  'POST /call/web': ({ assistant }) => ({ body: { assistantId: assistant } }),
  'PATCH /call/{id}': named,
  'POST /assistant': () => ({ body: { customerJoinTimeoutSeconds: 1 } }),
  'PATCH /assistant/{id}': named,
  'PUT /assistant/{id}': named,
  'POST /phone-number': () => ({ body: { provider: 'twilio', number: NUMBER, ...TWILIO } }),
  'PATCH /phone-number/{id}': named,
  'POST /phone-number/import/twilio': () => ({ body: { twilioPhoneNumber: '+12025550145', ...TWILIO } }),
  'POST /phone-number/import/vonage': () => ({
    body: { vonagePhoneNumber: NUMBER, credentialId: '00000000-0000-4000-8000-000000000000' },
  }),
  'POST /squad': ({ assistant }) => ({ body: { members: [{ assistantId: assistant }] } }),
  'PATCH /squad/{id}': ({ assistant }) => ({ body: { members: [{ assistantId: assistant }] } }),
  'POST /workflow': () => ({
    body: { name: 'Bread', nodes: [{ type: 'conversation', name: 'start', isStart: true }], edges: [] },
  }),
  'PATCH /workflow/{id}': named,
  'POST /workflow/generate': () => ({ body: { toolIds: [] } }),
  'POST /chat': chat,
  'POST /chat/responses': chat,
  'POST /chat/web': chat,
  'POST /chat/web/responses': chat,
  'POST /session': () => ({ body: {} }),
  'PATCH /session/{id}': named,
  'POST /campaign': ({ assistant, ...stored }) => ({
    body: {
      ...{ name: 'Bread', assistantId: assistant, phoneNumberId: stored['phone-number'] },
      customers: [CUSTOMER],
    },
  }),
  'PATCH /campaign/{id}': named,
  'POST /tool': () => ({ body: { type: 'function', function: { name: 'bake' } } }),
  'PATCH /tool/{id}': () => ({ body: { function: { name: 'bake' } } }),
  'POST /file': upload,
  'POST /file/upload': upload,
  'PATCH /file/{id}': () => ({ body: { name: 'bread.txt' } }),
  'POST /knowledge-base': () => ({
    body: { provider: 'custom-knowledge-base', server: { url: 'https://a.example/' } },
  }),
  'PATCH /knowledge-base/{id}': () => ({ body: { provider: 'custom-knowledge-base' } }),
  'POST /test-suite': () => ({ body: {} }),
  'PATCH /test-suite/{id}': named,
  'POST /test-suite/{testSuiteId}/test': () => ({ body: TEST }),
  'PATCH /test-suite/{testSuiteId}/test/{id}': () => ({ body: { type: 'chat', name: 'Bread' } }),
  'POST /test-suite/{testSuiteId}/run': () => ({ body: {} }),
  'PATCH /test-suite/{testSuiteId}/run/{id}': named,
  'POST /analytics': () => ({
    body: {
      queries: [{ table: 'call', name: 'calls', operations: [{ operation: 'count', column: 'id' }] }],
    },
  }),
  'GET /log': (stored) => ({ query: `?callId=${stored.call}` }),
  'DELETE /log': (stored) => ({ query: `?callId=${stored.call}` }),
  'DELETE /logs': (stored) => ({ query: `?callId=${stored.call}` }),
  'POST /org': named,
  'PATCH /org/{id}': named,
  'POST /org/{id}/invite': () => ({ body: { emails: ['bo@example.com'], role: 'viewer' } }),
  'PATCH /org/{id}/role': ({ member }) => ({ body: { userId: member, role: 'viewer' } }),
  'POST /support/ticket': () => ({
    body: { category: 'others', subject: 'Bread', message: 'There is no bread left.' },
  }),
  'POST /token': () => ({ body: {} }),
  'PATCH /token/{id}': named,
  'POST /credential': () => ({ body: { provider: 'openai', apiKey: 'a-key' } }),
  'PATCH /credential/{id}': () => ({ body: { provider: 'openai', name: 'Bread' } }),
  'POST /credential/session': () => ({ body: { provider: SLACK } }),
  'POST /credential/trigger': () => ({ body: { action_name: 'post-message', input: {} } }),
  'POST /template': () => ({ body: [{ type: 'tool' }] }),
  'PATCH /template/{id}': () => ({ body: { type: 'tool', name: 'Bread' } }),
  'GET /voice-library/{provider}': () => ({ provider: 'flite' }),
  'GET /voice-library/{provider}/accents': () => ({ provider: 'flite' }),
  'POST /voice-library/sync/{provider}': () => ({ provider: '11labs' }),
  'POST /voice-library/sync': () => ({ body: {} }),
  'POST /voice-library/create-sesame-voice': () => ({
    body: { voiceName: 'Bread', transcription: 'Bread.' },
  }),
  'GET /{provider}/workflows': () => ({ provider: 'make' }),
  'GET /{provider}/workflows/{workflowId}/hooks': () => ({ provider: 'make' }),
  'GET /{provider}/locations': () => ({ provider: 'ghl' }),
  'GET /{provider}/voices/search': () => ({ provider: '11labs', query: '?name=bo' }),
  'GET /{provider}/voice/search': () => ({ provider: '11labs', query: '?name=bo' }),
  'POST /{provider}/voices/add': voice,
  'POST /{provider}/voice/add': voice,
  'POST /11labs/voice/clone': () => ({ body: form({ name: 'Ours' }, 'files', RECORDING) }),
}

/** Further forms of an operation's body, each of a provider that is no part of every installation. */
export const OTHER_FORMS: readonly (readonly [operation: string, body: { provider: string }])[] = [
  ['POST /knowledge-base', { provider: 'trieve' }],
  ['POST /phone-number', { provider: 'vapi' }],
  ['POST /phone-number', { provider: 'byo-phone-number' }],
  ['POST /phone-number', { provider: 'vonage' }],
  ['POST /phone-number', { provider: 'telnyx' }],
]
