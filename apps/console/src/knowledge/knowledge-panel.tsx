import { useRef } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { codeOf, textOf } from '../office/refusal.js'
import { Badge } from '../ui/badge.js'
import { Button, Buttons } from '../ui/button.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { ProgressBar } from '../ui/progress-bar.js'
import { SureButton } from '../ui/sure-button.js'
import { Time } from '../ui/time.js'
import './knowledge.css'
import { AddFiles } from './add-files.js'
import { KNOWLEDGE_TEXTS as TEXTS } from './texts.js'
import { type KnowledgeFile, type Sending, useKnowledge } from './use-knowledge.js'

/** The files that the calls of one visitor look things up in. */
export default function KnowledgePanel({ slug, mayChange }: { slug: string; mayChange: boolean }) {
  const knowledge = useKnowledge(slug)
  const { data, error, refetch } = knowledge.list
  const chooser = useRef<HTMLInputElement>(null)
  // The button that was pressed goes with its file.
  const remove = (file: KnowledgeFile) => void knowledge.remove(file).then(() => chooser.current?.focus())
  if (codeOf(error) === 'not_supported')
    return (
      <Panel title={TEXTS.title}>
        <p className="hint">{textOf(error, '')}</p>
      </Panel>
    )
  return (
    <Panel title={TEXTS.title} intro={mayChange ? TEXTS.intro : `${TEXTS.intro} ${TEXTS.viewer}`}>
      {!data && (error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={2} />)}
      {data?.files.length === 0 && <p>{TEXTS.none}</p>}
      {data && data.files.length > 0 && (
        <ul className="knowledge-files" aria-label={TEXTS.title}>
          {data.files.map((file) => (
            <li key={file.id}>
              <FileText file={file} />
              {mayChange && (
                <SureButton
                  icon="remove"
                  label={TEXTS.removeNamed(file.name)}
                  sure={TEXTS.removeSure}
                  isBusy={knowledge.removing === file.id}
                  onSure={() => remove(file)}
                >
                  {TEXTS.remove}
                </SureButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {data && mayChange && (
        <AddFiles
          input={chooser}
          takes={data.takes}
          isBusy={knowledge.sending !== undefined}
          failures={knowledge.failures}
          add={(files) => void knowledge.add(files, data.takes)}
        />
      )}
      {knowledge.sending && <OnTheWay sending={knowledge.sending} stop={knowledge.stop} />}
    </Panel>
  )
}

const TONES = { processing: 'busy', done: 'good', failed: 'bad' } as const

function FileText({ file: { name, bytes, status, failure, createdAt } }: { file: KnowledgeFile }) {
  return (
    <div>
      <p className="knowledge-name">
        <b>{name}</b>
        <Badge tone={TONES[status]}>{TEXTS.states[status]}</Badge>
      </p>
      <p className="hint">
        {TEXTS.size(bytes)} · <Time at={createdAt} />
      </p>
      {failure !== null && <p className="hint">{failure}</p>}
    </div>
  )
}

/** Once all of it is there, the server reads it, and nobody knows how long that takes. */
function OnTheWay({ sending: { name, place, count, share }, stop }: { sending: Sending; stop(): void }) {
  const isSent = share === 1
  return (
    <>
      <ProgressBar
        label={isSent ? TEXTS.reading(name) : TEXTS.sending(name)}
        done={isSent ? null : share}
        total={1}
        said={TEXTS.progress(Math.round(share * 100), place, count)}
      />
      <Buttons>
        <Button icon="close" onClick={stop}>
          {TEXTS.stop}
        </Button>
      </Buttons>
    </>
  )
}
