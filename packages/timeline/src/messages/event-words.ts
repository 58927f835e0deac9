import type { EventType } from '../events/event.js'
import type { ToldEvent } from './told-event.js'

type Words = (payload: Readonly<Record<string, unknown>>) => string

/** A call that is over: how long somebody was there, or what is said where nobody was. */
const ended =
  (talked: string, otherwise: string): Words =>
  ({ seconds }) =>
    typeof seconds === 'number' && seconds > 0 ? `${talked} of ${durationOf(seconds)}` : otherwise

/** Whether they called one of our numbers. */
const isInbound = ({ direction }: Readonly<Record<string, unknown>>): boolean => direction === 'inbound'

/** What happened, behind the visitor's name or by itself. */
const WORDS: Readonly<Record<EventType | 'endpoint.test', Words>> = {
  'page.opened': () => 'opened the page',
  'call.requested': (payload) => (isInbound(payload) ? 'called us' : 'asked to be called'),
  'call.refused': ({ kind, reason }) =>
    `was refused a ${kind === 'web' ? 'browser call' : 'phone call'} (${reason})`,
  'call.answered': (payload) => (isInbound(payload) ? 'was answered on the phone' : 'answered the phone'),
  'call.completed': (payload) =>
    isInbound(payload)
      ? ended('called us, and had a phone call', 'called us, and nobody talked')(payload)
      : ended('had a phone call', 'was phoned, and nobody talked')(payload),
  'webcall.started': () => 'began a call in the browser',
  'webcall.completed': ended('had a browser call', 'had a browser call in which nobody talked'),
  'visitor.created': () => 'was added',
  'visitor.changed': ({ fields }) =>
    `was changed (${Array.isArray(fields) ? fields.join(', ') : 'its record'})`,
  'visitor.removed': () => 'was removed',
  'calls.paused': () => 'All calls are paused',
  'calls.resumed': () => 'Calls are placed again',
  'budget.warning': ({ kind, budget, percent }) =>
    `${percent} % of the ${budget === 'month' ? 'monthly' : 'daily'} budget for ${kind === 'web' ? 'browser' : 'phone'} calls is used up`,
  'breaker.opened': ({ reason }) => `The breaker has stopped all calls (${reason})`,
  'endpoint.test': () => 'This is a test: messages of Heyline arrive here',
}

/** One plain sentence of what happened, on one line. */
export function eventWords({ type, slug, name, payload }: ToldEvent): string {
  const what = WORDS[type](payload)
  // Of a call, somebody did it, known or not.
  if (slug === null) return oneLine(/^(web)?call\./.test(type) ? `Somebody ${what}` : what)
  const who = name === null || name === slug ? slug : `${name} (${slug})`
  return oneLine(`${who} ${what}`)
}

/** Minutes and seconds, as people say them. */
function durationOf(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  const parts = [minutes > 0 ? `${minutes} min` : '', rest > 0 || minutes === 0 ? `${rest} s` : '']
  return parts.filter((part) => part !== '').join(' ')
}

/** What is stored has no control characters; a line of a message has none whatever is stored. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
