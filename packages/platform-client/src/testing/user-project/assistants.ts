import {
  type Assistant,
  type CreateAssistant,
  type CreateTool,
  PlatformClient,
  type PlatformCredential,
  type PlatformFile,
  type Tool,
} from '@heyline/platform-client'

/** What somebody does with assistants and what belongs to them: unions by kind, uploads, nested resources. */

const { assistants, tools, credentials, files, providers, squads, testSuites, workflows } =
  new PlatformClient({
    token: 'token',
  })

const settings: CreateAssistant = {
  name: 'Front desk',
  firstMessageMode: 'assistant-speaks-first',
  maxDurationSeconds: 600,
  backgroundSound: 'https://example.com/office.mp3',
  transcriber: { provider: 'deepgram', model: 'nova-2', language: 'en' },
  voice: { provider: 'a-voice-of-tomorrow', voiceId: 'one', warmth: 0.4 },
  model: { provider: 'a-model-of-tomorrow', model: 'large', effort: 'high' },
  artifactPlan: { recordingEnabled: false },
  metadata: { branch: 'Main Street' },
}

export async function assistant(): Promise<Assistant[]> {
  const made = await assistants.create(settings)
  const updated = await assistants.update(made.id, { name: 'Night desk' })
  const replaced = await assistants.replace(updated.id, settings)
  for await (const version of assistants.versionPages(replaced.id, { limit: 5 })) console.log(version)
  const deleted: Assistant | undefined = await assistants.delete(replaced.id)
  return [deleted ?? replaced, ...(await assistants.list({ limit: 1 }))]
}

const weather: CreateTool = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  server: { url: 'https://example.com/weather' },
}

export async function tool(): Promise<string> {
  const made: Tool = await tools.create(weather)
  switch (made.type) {
    case 'function':
      return made.server?.url ?? made.id
    case 'apiRequest':
      return `${made.method} ${made.url}`
    case 'query':
      return made.knowledgeBases?.[0]?.fileIds.join() ?? ''
    default:
      return made.type
  }
}

export async function credential(): Promise<PlatformCredential[]> {
  await credentials.create({ provider: 'openai', apiKey: 'key' })
  const { sessionToken } = await credentials.createSession({ provider: 'slack.oauth2-authorization' })
  await credentials.triggerAction({ action_name: 'notify', input: { sessionToken } })
  return credentials.list()
}

export async function upload(photo: Blob): Promise<PlatformFile[]> {
  const prices = new File(['a,b'], 'prices.csv', { type: 'text/csv' })
  const stored = await files.create({ file: prices, purpose: 'assistant' })
  const other = await files.create({ file: photo })
  await providers.cloneVoice({ name: 'Ours', files: [prices, photo], description: 'recorded at the desk' })
  return [stored, other, await files.get(stored.id, { timeoutMs: 1000 })]
}

export async function tested(suite: string): Promise<string[]> {
  const test = await testSuites.tests.create(suite, {
    type: 'chat',
    script: 'Ask for a table',
    scorers: [{ type: 'ai', rubric: 'It was booked' }],
  })
  await testSuites.tests.update(suite, test.id, { type: 'chat', numAttempts: 2 })
  const run = await testSuites.runs.create(suite, { name: 'Nightly' })
  const seen: string[] = []
  for await (const { id, status } of testSuites.runs.pages(suite, { sortOrder: 'DESC' }))
    seen.push(id + status)
  const { testResults } = await testSuites.runs.get(suite, run.id)
  return seen.concat(testResults.map(({ attempts }) => attempts[0]?.scorerResults[0]?.reasoning ?? ''))
}

export async function together(): Promise<string[]> {
  const squad = await squads.create({ members: [{ assistantId: 'a' }, { assistant: settings }] })
  const workflow = await workflows.create({
    name: 'Booking',
    nodes: [{ type: 'conversation', name: 'greet', isStart: true, prompt: 'Greet.' }],
    edges: [],
  })
  return [squad.id, workflow.id]
}
