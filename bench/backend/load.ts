import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../report/table.js'
import { type Answer, Connection } from './connection.js'

/** What is asked: a whole HTTP/1.1 request, and what must be true of its answer. */
export interface Question {
  request: string
  /** Throws when it is not the answer to this; false when it is one that came too late to be whole. */
  check(answer: Answer): boolean
}

export interface Load {
  connections: number
  ms: number
  question(): Question
  /** Of all connections together; without it each asks again as soon as it is answered. */
  perSecond?: number
}

export interface Run {
  perSecond: number
  /** From the last byte that was written to the last that was read, in ms. */
  p50: number
  p99: number
  /** Answers that were not whole. */
  late: number
}

/** Asks for as long as the load says, over connections that are kept. Rejects at the first wrong answer. */
export async function run(url: string, { connections, ms, question, perSecond }: Load): Promise<Run> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const times: number[] = []
  let late = 0
  const began = performance.now()
  const end = began + ms
  const apart = perSecond === undefined ? 0 : (1000 * connections) / perSecond
  const askOn = async (connection: Connection, index: number) => {
    let next = began + (apart * index) / connections
    for (let now = performance.now(); now < end; now = performance.now()) {
      if (next > now) await delay(next - now)
      next += apart
      const { request, check } = question()
      const asked = performance.now()
      const answer = await connection.ask(request)
      times.push(performance.now() - asked)
      if (!check(answer)) late += 1
    }
  }
  try {
    await Promise.all(open.map(askOn))
  } finally {
    for (const connection of open) connection.close()
  }
  const seconds = (performance.now() - began) / 1000
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99), late }
}
