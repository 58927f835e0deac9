const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

/**
 * TwiML that connects the call with a media stream both ways (`<Connect><Stream>`). Nothing follows it, so the call ends with the
 * stream. A stream's URL takes no query string: the stream's `start` message has the parameters.
 */
export function connectStream(url: string, parameters: Readonly<Record<string, string>>): string {
  const nouns = Object.entries(parameters)
    .map(([name, value]) => `<Parameter name="${escapeXml(name)}" value="${escapeXml(value)}"/>`)
    .join('')
  return `${HEAD}<Response><Connect><Stream url="${escapeXml(url)}">${nouns}</Stream></Connect></Response>`
}

/** TwiML that says something and hangs up. Twilio's own voice says it. */
export const sayAndHangUp = (text: string): string =>
  `${HEAD}<Response><Say>${escapeXml(text)}</Say><Hangup/></Response>`

/** TwiML that refuses a call to us. As the first verb it leaves the call unanswered, and Twilio bills nothing. */
export const reject = (reason: 'busy' | 'rejected'): string =>
  `${HEAD}<Response><Reject reason="${reason}"/></Response>`

/** TwiML that hangs up. */
export const HANG_UP = `${HEAD}<Response><Hangup/></Response>`

/** What `<Dial>` takes: who it seems to come from, seconds of ringing and of the call, what is asked afterwards, keys after the answer. */
export interface DialAttributes {
  callerId: string
  timeout: number
  timeLimit: number
  action: string
  sendDigits?: string
}

/** TwiML that connects the call with a number, and then asks `action` what follows. */
export function dial(number: string, { sendDigits, ...attributes }: DialAttributes): string {
  const dialled = attributesOf({ ...attributes, method: 'POST' })
  const keys = attributesOf(sendDigits === undefined ? {} : { sendDigits })
  return `${HEAD}<Response><Dial${dialled}><Number${keys}>${escapeXml(number)}</Number></Dial></Response>`
}

const attributesOf = (attributes: Record<string, string | number>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
