/**
 * One utterance. `partial` while its words still change; `cut` when the person spoke over the assistant and its final
 * words are not known yet; `final` once nothing changes any more.
 */
export interface Line {
  speaker: Speaker
  text: string
  state: 'partial' | 'cut' | 'final'
}

export type Speaker = 'assistant' | 'user'

/** A message of the platform, of any type. */
export interface PlatformMessage {
  type: string
  [field: string]: unknown
}

/**
 * The transcript after a message of the platform; the same array when the message does not change it. Lines keep the
 * order in which they began, so an index names a line for good. The built-in platform sends final lines only, and of a
 * line that was cut the words that were heard; the hosted one sends partial lines too, each with all words so far, and
 * may name the type `transcript[transcriptType="final"]`.
 */
export function nextTranscript(lines: readonly Line[], message: PlatformMessage): readonly Line[] {
  if (message.type === 'user-interrupted') return cutAssistant(lines)
  const said = readSaid(message)
  if (!said) return lines
  const index = openLine(lines, said)
  return index === -1 ? [...lines, said] : lines.with(index, said)
}

/** The line that these words belong to: the speaker's partial one, or the one that was cut within them; -1 for none. */
function openLine(lines: readonly Line[], { speaker, text, state }: Line): number {
  return lines.findLastIndex(
    (line) =>
      line.speaker === speaker &&
      (line.state === 'partial' ||
        (line.state === 'cut' && state === 'final' && isOneUtterance(line.text, text))),
  )
}

const isOneUtterance = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)

/** What the assistant says next is another line, but for the final words of this one. */
function cutAssistant(lines: readonly Line[]): readonly Line[] {
  const index = lines.findLastIndex(({ speaker, state }) => speaker === 'assistant' && state === 'partial')
  const line = lines[index]
  return line ? lines.with(index, { ...line, state: 'cut' }) : lines
}

function readSaid({ type, role, transcript, transcriptType }: PlatformMessage): Line | undefined {
  if (type !== 'transcript' && !type.startsWith('transcript[')) return undefined
  if (role !== 'assistant' && role !== 'user') return undefined
  const text = typeof transcript === 'string' ? transcript.trim() : ''
  if (text === '') return undefined
  return { speaker: role, text, state: transcriptType === 'partial' ? 'partial' : 'final' }
}
