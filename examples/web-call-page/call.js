import { WebCallClient } from '@heyline/web-call'

const { PLATFORM_URL, PLATFORM_PUBLIC_KEY, PLATFORM_ASSISTANT_ID } = import.meta.env

const button = element('button')
const status = element('[role=status]')
const transcript = element('ul')

const client = new WebCallClient({ token: PLATFORM_PUBLIC_KEY, baseUrl: PLATFORM_URL })
let calling = false

button.addEventListener('click', () => {
  if (calling) client.stop()
  else start()
})
client.on('call-start', () => show(true, 'The assistant is listening'))
client.on('call-end', () => show(false, 'The call is over'))
client.on('error', ({ message }) => show(false, message))

/** @type {Map<number, HTMLLIElement>} */
const lines = new Map()
client.on('transcript', ({ id, role, text }) => {
  // A line grows while it is spoken, and keeps its id.
  const line = lines.get(id) ?? document.createElement('li')
  lines.set(id, line)
  line.textContent = `${role}: ${text}`
  transcript.append(line)
})

function start() {
  show(true, 'Connecting…')
  lines.clear()
  transcript.replaceChildren()
  client.start({ assistant: PLATFORM_ASSISTANT_ID })
}

/** @param {boolean} inCall @param {string} text */
function show(inCall, text) {
  calling = inCall
  button.textContent = inCall ? 'Hang up' : 'Start call'
  status.textContent = text
}

/** @param {string} selector @returns {HTMLElement} */
function element(selector) {
  const found = document.querySelector(selector)
  if (found instanceof HTMLElement) return found
  throw new Error(`The page has no ${selector}`)
}
