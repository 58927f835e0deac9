import { PlatformClient, PlatformCore } from '@heyline/platform-client'

/** What must not compile: each line below such a comment is an error, and an error when it is none. */

// @ts-expect-error a client needs a token
export const noToken = new PlatformClient({})
const platform = new PlatformClient({ token: 'token' })
// @ts-expect-error the core has no methods of resources
export const noTable = new PlatformCore({ token: 'token' }).calls

export async function mistakes(maybe: string | undefined) {
  // @ts-expect-error a misspelt field
  await platform.calls.create({ assistentId: 'a' })
  // @ts-expect-error one customer or many, not both kinds under one name
  await platform.calls.create({ customers: { number: '+14155552671' } })
  // @ts-expect-error an optional field is left out, not undefined
  await platform.calls.update('call', { name: maybe })
  // @ts-expect-error an id is text
  await platform.calls.get(7)
  // @ts-expect-error an id is needed
  await platform.calls.get()
  // @ts-expect-error ids come in the order of the path, each by itself
  await platform.testSuites.tests.get({ testSuiteId: 'suite', id: 'test' })
  // @ts-expect-error the body comes after the id
  await platform.assistants.update({ name: 'Night desk' }, 'a')
  // @ts-expect-error no such option
  await platform.assistants.list({ limit: 1 }, { timeout: 10 })
  // @ts-expect-error no such filter
  await platform.assistants.list({ newest: true })
  // @ts-expect-error this query has a required name
  await platform.callLogs.list({})
  // @ts-expect-error sorted one way or the other
  await platform.calls.listPage({ sortOrder: 'down' })
  // @ts-expect-error a mode that the platform does not have
  await platform.assistants.create({ firstMessageMode: 'nobody-speaks' })
  // @ts-expect-error seconds are a number
  await platform.assistants.create({ maxDurationSeconds: '600' })
  // @ts-expect-error a kind of tool that there is not
  await platform.tools.create({ type: 'teleport' })
  // @ts-expect-error a request has a URL
  await platform.tools.create({ type: 'apiRequest', method: 'GET' })
  // @ts-expect-error a carrier's number names its account
  await platform.phoneNumbers.create({ provider: 'twilio', number: '+14155552671' })
  // @ts-expect-error a key
  await platform.credentials.create({ provider: 'openai', apikey: 'key' })
  // @ts-expect-error a campaign can only be ended
  await platform.campaigns.update('campaign', { status: 'in-progress' })
  // @ts-expect-error a chat goes on from a session or from a chat
  await platform.chats.create({ input: 'Hi', sessionId: 'session', previousChatId: 'chat' })
  // @ts-expect-error streams have a method of their own
  await platform.chats.create({ input: 'Hi', assistantId: 'a', stream: true })
  // @ts-expect-error a file is no text
  await platform.files.create({ file: 'a,b' })
  // @ts-expect-error no such operation
  await platform.files.replace('file', {})
}

export async function answers() {
  const call = await platform.calls.create({ assistantId: 'a' })
  // @ts-expect-error one call is no batch
  console.log(call.results)
  // @ts-expect-error it may not have ended
  console.log(call.endedReason.length)
  const [first] = await platform.calls.list()
  // @ts-expect-error there may be none
  console.log(first.id)
  // @ts-expect-error a page is no list
  console.log((await platform.calls.listPage()).length)
  // @ts-expect-error an export is text
  console.log((await platform.calls.export()).results)
  // @ts-expect-error a delete may answer nothing
  console.log((await platform.calls.delete('call')).id)
  // @ts-expect-error an operation that answers nothing
  console.log((await platform.orgs.leave('org')).id)
  // @ts-expect-error pages are walked through, not awaited
  console.log((await platform.calls.pages()).results)
  // @ts-expect-error what the core gets is not known
  console.log((await platform.request({ method: 'GET', path: '/new' })).id)
  // @ts-expect-error the client cannot be changed
  platform.calls = {}
}
