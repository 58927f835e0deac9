import { expect, it } from 'vitest'
import { refuseActingAssistant, refuseActingPlans } from './member-plans.js'

const MODEL = { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Bake.' }] }
const ACTS = [
  ['server', { server: { url: 'https://elsewhere.example/' } }],
  ['credentials', { credentials: [] }],
  ['credentialIds', { credentialIds: ['1'] }],
  ['hooks', { hooks: [] }],
  ['serverMessages', { serverMessages: ['transcript'] }],
  ['analysisPlan', { analysisPlan: {} }],
  ['artifactPlan', { artifactPlan: {} }],
  ['variableValues.customer', { variableValues: { customer: { number: '+14155550142' } } }],
  ['model.tools', { model: { ...MODEL, tools: [] } }],
  ['model.toolIds', { model: { ...MODEL, toolIds: ['1'] } }],
  ['model.knowledgeBaseId', { model: { ...MODEL, knowledgeBaseId: '1' } }],
  ['model.url', { model: { ...MODEL, provider: 'custom-llm', url: 'https://elsewhere.example/' } }],
  ['voice.server', { voice: { provider: 'custom-voice', server: { url: 'https://elsewhere.example/' } } }],
  [
    'voice.fallbackPlan.voices.0.server',
    { voice: { provider: 'openai', fallbackPlan: { voices: [{ server: { url: 'https://a.example/' } }] } } },
  ],
  ['transcriber.server', { transcriber: { provider: 'custom-transcriber', server: {} } }],
  [
    'startSpeakingPlan.smartEndpointingPlan.server',
    { startSpeakingPlan: { smartEndpointingPlan: { provider: 'custom-endpointing-model', server: {} } } },
  ],
] as const
const PLACES = [
  ['targetPlan', 'assistantOverrides'],
  ['testerPlan', 'assistantOverrides'],
  ['testerPlan', 'assistant'],
] as const
const ALL = PLACES.flatMap(([plan, place]) =>
  ACTS.map(
    ([field, set]) => [`${plan}.${place}.${field}`, plan, { [place]: { name: 'Ava', ...set } }] as const,
  ),
)

it.each(ALL)('refuses %s, and names it', (field, plan, acting) => {
  const refused = expect.objectContaining({ status: 403, message: expect.stringContaining(`${field} acts`) })
  expect(() => refuseActingPlans({ name: 'Suite', [plan]: acting })).toThrow(refused)
  expect(() => refuseActingPlans({ [plan]: { assistantId: '1' } }, { [plan]: acting })).toThrow(refused)
  expect(() => refuseActingPlans({ name: 'Other' }, { [plan]: acting })).not.toThrow()
})

it.each([
  ...['customer.number', 'customer[number]', 'customer["number"]', ' customer', 'customer .number'],
  ...['["customer"].number', 'transport.conversationType', 'callerProven'],
])('refuses a value that templates read as the call’s own: %s', (name) => {
  const assistantOverrides = { variableValues: { [name]: '+14155550142' } }
  const refused = expect.objectContaining({ status: 403, message: expect.stringContaining(name) })
  expect(() => refuseActingPlans({ targetPlan: { assistantOverrides } })).toThrow(refused)
  expect(() => refuseActingAssistant({ customer: { assistantOverrides } })).toThrow(refused)
})

it('takes what an assistant says and hears', () => {
  const open = {
    ...{ firstMessage: 'Hello.', model: MODEL, voice: { provider: 'openai', voiceId: 'alloy', speed: 1 } },
    ...{ transcriber: { provider: 'deepgram', keywords: ['bread'] }, maxDurationSeconds: 60 },
    ...{ variableValues: { server: 'a', tools: ['b'], 'my.customer': 'c' }, metadata: { url: 'c' } },
  }
  expect(() =>
    refuseActingPlans({
      targetPlan: { assistantId: '1', phoneNumberId: '2', assistantOverrides: open },
      testerPlan: { assistant: open, assistantOverrides: open },
    }),
  ).not.toThrow()
})
