import type { SessionMessage } from '../session/session.js'

/** A line as it was stored. */
export interface StoredLine {
  position: number
  message: SessionMessage
}

/** What makes the stored lines of a call those that were said so far. */
export interface LineChange {
  /** Lines that are dropped: the first position, and the one after the last. The same where there are none. */
  dropped: readonly [number, number]
  /** The new lines get this position and those after it. What is stored there or further on is replaced. */
  from: number
  lines: SessionMessage[]
}

/**
 * Compares what is stored with what was said. A long conversation drops its oldest lines, and a line may come late, or be replaced:
 * that moves only the lines after it. Undefined where nothing is new; `stored` is what is stored after the change.
 */
export function lineChange(
  stored: readonly StoredLine[],
  said: readonly SessionMessage[],
): { change: LineChange; stored: StoredLine[] } | undefined {
  const kept = countSame(stored, 0, said, 0)
  const next = said[kept]
  const found = next ? stored.findIndex((line, index) => index >= kept && isSame(line.message, next)) : -1
  const goesOn = found === -1 ? kept : found
  const end = goesOn + countSame(stored, goesOn, said, kept)
  const head = [...stored.slice(0, kept), ...stored.slice(goesOn, end)]
  const lines = said.slice(head.length)
  if (lines.length === 0 && head.length === stored.length) return undefined
  const from = (head.at(-1)?.position ?? -1) + 1
  return {
    change: {
      dropped: goesOn === kept ? [0, 0] : [positionOf(stored, kept), positionOf(stored, goesOn)],
      from,
      lines,
    },
    stored: [...head, ...lines.map((message, index) => ({ position: from + index, message }))],
  }
}

/** How many lines are the same, from these two on. */
function countSame(
  stored: readonly StoredLine[],
  fromStored: number,
  said: readonly SessionMessage[],
  fromSaid: number,
): number {
  let count = 0
  for (; fromStored + count < stored.length; count += 1) {
    const [one, other] = [stored[fromStored + count], said[fromSaid + count]]
    if (!one || !other || !isSame(one.message, other)) break
  }
  return count
}

const isSame = (one: SessionMessage, other: SessionMessage): boolean =>
  one.time === other.time &&
  one.endTime === other.endTime &&
  one.role === other.role &&
  one.message === other.message &&
  one.toolCallId === other.toolCallId &&
  one.toolCalls?.[0]?.id === other.toolCalls?.[0]?.id

const positionOf = (stored: readonly StoredLine[], index: number): number => stored[index]?.position ?? 0
