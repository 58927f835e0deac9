import { useId, useState } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { codeOf, textOf } from '../office/refusal.js'
import { Badge } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { Time } from '../ui/time.js'
import '../endpoints/endpoints.css'
import { Differences } from './differences.js'
import { fieldName, VERSION_TEXTS as TEXTS } from './texts.js'
import type { Assistant } from './use-assistant.js'
import { useVersions, type Version } from './use-versions.js'

/** So many versions are drawn at first. */
const FIRST = 5

/** What the assistant was, what each version changed, and the way back. */
export default function Versions({
  mayChange,
  restored,
}: {
  mayChange: boolean
  restored(assistant: Assistant): void
}) {
  const { list, restore, busy } = useVersions(restored)
  const [isAll, setAll] = useState(false)
  const { data, error, refetch } = list
  if (codeOf(error) === 'not_supported')
    return (
      <Panel title={TEXTS.title}>
        <p className="hint">{textOf(error, '')}</p>
      </Panel>
    )
  const versions = data?.versions ?? []
  return (
    <Panel title={TEXTS.title} intro={mayChange ? `${TEXTS.intro} ${TEXTS.restoreHint}` : TEXTS.intro}>
      {!data && (error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={3} />)}
      {data && versions.length === 0 && <p>{TEXTS.none}</p>}
      <ul className="endpoints">
        {versions.slice(0, isAll ? versions.length : FIRST).map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isBusy={busy !== undefined}
            {...(mayChange && !version.isNow && { restore: () => void restore(version) })}
          />
        ))}
      </ul>
      {versions.length > FIRST && !isAll && (
        <Buttons>
          <Button onClick={() => setAll(true)}>{TEXTS.all(versions.length)}</Button>
        </Buttons>
      )}
    </Panel>
  )
}

function VersionRow({
  version: { version, createdAt, isNow, changed },
  isBusy,
  restore,
}: {
  version: Version
  isBusy: boolean
  restore?: () => void
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <li aria-label={TEXTS.version(version)}>
      <div>
        <p className="endpoint-name">
          <b>{TEXTS.version(version)}</b>
          {isNow && <Badge tone="good">{TEXTS.now}</Badge>}
        </p>
        <p className="hint">
          <Time at={createdAt} />
          {' · '}
          {changed === null ? TEXTS.oldest : TEXTS.changed(changed.map(fieldName))}
        </p>
      </div>
      <Buttons>
        <Button
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={TEXTS.detailsOf(version)}
          onClick={() => setOpen(!isOpen)}
        >
          {TEXTS.details}
        </Button>
        {restore && (
          <Button aria-label={TEXTS.restoreOf(version)} isBusy={isBusy} onClick={restore}>
            {TEXTS.restore}
          </Button>
        )}
      </Buttons>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Differences version={version} isNow={isNow} />}
      </div>
    </li>
  )
}
