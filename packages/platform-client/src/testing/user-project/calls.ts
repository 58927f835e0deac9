import {
  type Call,
  type CallBatch,
  type CreateCall,
  type EndedReason,
  type Page,
  PlatformClient,
  type RequestOptions,
} from '@heyline/platform-client'

/** What somebody does with calls: overloads, pages, text, options. Compiled against the packed package. */

const platform = new PlatformClient({ token: 'token', baseUrl: undefined, timeoutMs: 5000, retries: 0 })
const { calls, callLogs, analytics, campaigns, phoneNumbers } = platform

export async function one(options?: RequestOptions): Promise<string> {
  const body: CreateCall = {
    assistantId: 'assistant',
    phoneNumberId: 'number',
    customer: { number: '+14155552671', name: 'Riverside Dental' },
    schedulePlan: { earliestAt: '2030-01-01T09:00:00Z' },
  }
  const call: Call = await calls.create(body, options)
  const reason: EndedReason | undefined = call.endedReason
  if (call.status === 'ended' && reason === 'customer-ended-call') return call.artifact?.transcript ?? ''
  return reason ?? 'a reason that is not known yet'
}

export async function batch(): Promise<string[]> {
  const batch: CallBatch = await calls.create({ customers: [{ number: '+14155552671' }], assistantId: 'a' })
  const [first] = batch.results
  return first ? [first.id] : batch.errors.map(({ error }) => error)
}

export async function inBrowser(signal: AbortSignal | undefined): Promise<string | undefined> {
  const call = await calls.createWeb(
    {
      assistant: {
        firstMessage: 'Hello!',
        model: {
          provider: 'openai',
          model: 'gpt-4o-mini',
          messages: [{ role: 'system', content: 'Be brief.' }],
          tools: [{ type: 'endCall' }],
        },
        voice: { provider: '11labs', voiceId: 'sarah', stability: 0.5 },
      },
      assistantOverrides: { variableValues: { name: 'Riverside Dental', visits: 3 } },
    },
    { signal, timeoutMs: 10_000 },
  )
  return call.webCallUrl
}

export async function pages(): Promise<number> {
  const since = new Date(0)
  const listed: Call[] = await calls.list({ limit: 10, createdAtGt: since, assistantId: 'a' })
  const page: Page<Call> = await calls.listPage({ page: 2, sortOrder: 'ASC', createdAtGt: '2030-01-01' })
  let total = listed.length + page.metadata.totalItems
  for await (const call of calls.pages({ endedReason: 'voicemail' })) total += call.cost ?? 0
  for await (const line of callLogs.pages({ callId: 'call' })) total += line.log.length
  for await (const number of phoneNumbers.pages()) {
    if (number.provider === 'twilio') total += number.twilioAccountSid.length
  }
  return total
}

export async function textAndNothing(): Promise<string> {
  await callLogs.delete({ callId: 'call' })
  const text: string = await calls.export({ columns: ['id', 'cost'], async: false })
  return text.trim()
}

export async function figures(): Promise<unknown> {
  const [result] = await analytics.query({
    queries: [
      {
        table: 'call',
        name: 'cost by assistant',
        operations: [{ operation: 'sum', column: 'cost', alias: 'total' }],
        groupBy: ['assistantId'],
      },
    ],
  })
  return result?.result[0]?.total
}

export async function campaign(): Promise<boolean> {
  const made = await campaigns.create({
    name: 'Reminders',
    phoneNumberId: 'number',
    customers: [{ number: '+14155552671' }],
  })
  const stopped = await campaigns.update(made.id, { status: 'ended' })
  return stopped.status === 'ended' && stopped.callsCounterEnded > 0
}
