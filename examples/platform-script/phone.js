// Usage: PLATFORM_PRIVATE_KEY=… node examples/platform-script/phone.js +14155552671
import { setTimeout as wait } from 'node:timers/promises'
import { PlatformClient } from '@heyline/platform-client'

const ASK_EVERY_MS = 500

const { PLATFORM_URL, PLATFORM_PRIVATE_KEY, PLATFORM_PHONE_NUMBER_ID } = process.env
const [, , number] = process.argv
if (!PLATFORM_PRIVATE_KEY || !number) {
  console.error('Set PLATFORM_PRIVATE_KEY, and name the number to call: phone.js +14155552671')
  process.exit(1)
}

const platform = new PlatformClient({
  token: PLATFORM_PRIVATE_KEY,
  ...(PLATFORM_URL && { baseUrl: PLATFORM_URL }),
})

const assistant = await platform.assistants.create({
  name: 'Reminder',
  firstMessage: 'Hello! Your appointment is tomorrow at ten.',
  model: {
    provider: 'openai',
    model: 'gpt-4o-mini',
    messages: [{ role: 'system', content: 'You remind people of their appointment.' }],
  },
})
console.log(`Made the assistant ${assistant.name}`)
try {
  const call = await ended(await phone(number))
  console.log(`The call ended: ${call.endedReason}`)
  console.log(call.artifact?.transcript ?? 'Nothing was said.')
} finally {
  await platform.assistants.delete(assistant.id)
  console.log('Deleted the assistant')
}

/** @param {string} number E.164 */
async function phone(number) {
  const call = await platform.calls.create({
    assistantId: assistant.id,
    customer: { number },
    ...(PLATFORM_PHONE_NUMBER_ID && { phoneNumberId: PLATFORM_PHONE_NUMBER_ID }),
  })
  console.log(`Calling ${number}`)
  return call
}

/** Asks until the call has ended. @param {import('@heyline/platform-client').Call} call */
async function ended(call) {
  let latest = call
  while (latest.status !== 'ended') {
    await wait(ASK_EVERY_MS)
    latest = await platform.calls.get(call.id)
  }
  return latest
}
