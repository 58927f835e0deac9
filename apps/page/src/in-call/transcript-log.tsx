import type { TranscriptLine } from '@heyline/web-call'
import { useLayoutEffect, useRef } from 'react'
import { STRIP_TEXTS } from './texts.js'

const LOG_ID = 'in-call-log'
/** The reader is at the end when no more than this is below, in CSS pixels. */
const END_PX = 24

interface TranscriptLogProps {
  lines: readonly TranscriptLine[]
  open: boolean
  onToggle(): void
}

/**
 * What was said, behind its button. A closed log is not rendered, so nothing of it is announced; an open one announces
 * final lines only. It follows its end until the reader scrolls up.
 */
export function TranscriptLog({ lines, open, onToggle }: TranscriptLogProps) {
  const log = useRef<HTMLDivElement>(null)
  const following = useRef(true)

  useLayoutEffect(() => {
    if (!open) return
    following.current = true
    log.current?.scrollIntoView({ block: 'nearest' })
  }, [open])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line, or the log's appearance, is what moves the end.
  useLayoutEffect(() => {
    if (log.current && following.current) log.current.scrollTop = log.current.scrollHeight
  }, [lines, open])

  return (
    <>
      <button
        type="button"
        className="in-call-toggle"
        aria-expanded={open}
        aria-controls={LOG_ID}
        onClick={onToggle}
      >
        {STRIP_TEXTS.transcript}
      </button>
      <div
        ref={log}
        id={LOG_ID}
        className="in-call-log"
        hidden={!open}
        role="log"
        aria-label={STRIP_TEXTS.transcript}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          following.current = scrollHeight - scrollTop - clientHeight <= END_PX
        }}
      >
        {lines.length === 0 && <p className="in-call-nothing">{STRIP_TEXTS.nothingYet}</p>}
        {lines.map((line, index) => (
          <LineView key={keyOf(line)} line={line} isSame={lines[index - 1]?.role === line.role} />
        ))}
      </div>
    </>
  )
}

/** A line that becomes final is a new element, which is what a live region announces. */
const keyOf = ({ id, isFinal }: TranscriptLine) => `${id} ${isFinal}`

/** Words that still change are left to the eyes. The speaker is named where it changes. */
function LineView({ line: { role, text, isFinal }, isSame }: { line: TranscriptLine; isSame: boolean }) {
  return (
    <p data-speaker={role} data-state={isFinal ? 'final' : 'partial'} aria-hidden={!isFinal || undefined}>
      {!isSame && <b>{STRIP_TEXTS.speakers[role]}</b>} {text}
    </p>
  )
}
