import { useQuery } from '@tanstack/react-query'
import { useOffice } from '../office/office.js'
import { Skeleton } from '../ui/placeholders.js'
import { CALL_TEXTS } from './texts.js'

/** How often a running call is asked what was said, in ms. */
const AGAIN_MS = 700

/** What is said in a call, while it is spoken. */
export function CallWords({ id, running }: { id: string; running: boolean }) {
  const office = useOffice()
  const { data, error } = useQuery({
    queryKey: ['calls', 'words', id],
    queryFn: () => office.calls.transcript({ id }),
    refetchInterval: running ? AGAIN_MS : false,
    retry: false,
  })
  const lines = data?.lines ?? []
  return (
    <section aria-label={CALL_TEXTS.transcript}>
      <h2>{CALL_TEXTS.transcript}</h2>
      {running && <p className="hint">{error ? CALL_TEXTS.noWords : CALL_TEXTS.live}</p>}
      {!data && !error && <Skeleton lines={3} />}
      {data && lines.length === 0 && (
        <p className="hint">{running ? CALL_TEXTS.nothingYet : CALL_TEXTS.nothingSaid}</p>
      )}
      <ol className="words" aria-live={running ? 'polite' : undefined}>
        {lines.map(({ who, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
          <li key={place} data-who={who}>
            <strong>{CALL_TEXTS[who]}</strong>
            {text}
          </li>
        ))}
      </ol>
    </section>
  )
}
