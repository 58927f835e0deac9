import { LoadFailed } from '../office/load-failed.js'
import { Skeleton } from '../ui/placeholders.js'
import { fieldName, VERSION_TEXTS as TEXTS } from './texts.js'
import './versions.css'
import { type Difference, useVersion } from './use-versions.js'

/** What a version changed, and what would be different after a restore of it. */
export function Differences({ version, isNow }: { version: string; isNow: boolean }) {
  const { data, error, refetch } = useVersion(version)
  if (!data) return error ? <LoadFailed error={error} retry={refetch} /> : <Skeleton lines={2} />
  return (
    <div className="versions">
      {data.changes && <List title={TEXTS.changes} list={data.changes} />}
      {!isNow && <List title={TEXTS.restores} list={data.restores} />}
      {isNow && !data.changes && <p className="hint">{TEXTS.oldest}</p>}
    </div>
  )
}

function List({ title, list }: { title: string; list: readonly Difference[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {list.length === 0 && <p className="hint">{TEXTS.nothing}</p>}
      <dl className="facts">
        {list.map(({ field, before, after }) => (
          <div key={field}>
            <dt>{fieldName(field)}</dt>
            <dd>
              {before === null && after === null ? (
                <span className="hint">{TEXTS.unseen}</span>
              ) : (
                <>
                  <del>
                    <span className="unseen">{TEXTS.before}</span> {before || TEXTS.empty}
                  </del>
                  <ins>
                    <span className="unseen">{TEXTS.after}</span> {after || TEXTS.empty}
                  </ins>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
