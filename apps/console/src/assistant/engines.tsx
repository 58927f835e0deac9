import { LoadFailed } from '../office/load-failed.js'
import { Panel } from '../ui/panel.js'
import { Skeleton } from '../ui/placeholders.js'
import { ASSISTANT_TEXTS as TEXTS } from './texts.js'
import { useEngines } from './use-engines.js'

/** What hears, thinks and speaks in the calls, and what each of them can and can not do. */
export function Engines() {
  const { data, error, refetch } = useEngines()
  if (error) return <LoadFailed error={error} retry={refetch} />
  if (!data) return <Skeleton />
  return (
    <Panel
      title={TEXTS.engines}
      intro={data.platform === 'hosted' ? TEXTS.hostedPlatform : TEXTS.ownPlatform}
    >
      {data.engines.map(({ part, end, can, cannot }) => (
        <div key={part}>
          <h3>
            {part}: {end}
          </h3>
          <Abilities title={TEXTS.can} list={can} />
          <Abilities title={TEXTS.cannot} list={cannot} />
        </div>
      ))}
    </Panel>
  )
}

function Abilities({ title, list }: { title: string; list: readonly string[] }) {
  return (
    <>
      <p className="hint">{title}</p>
      <ul>
        {list.map((ability) => (
          <li key={ability}>{ability}</li>
        ))}
      </ul>
    </>
  )
}
