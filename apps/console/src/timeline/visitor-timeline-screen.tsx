import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { LoadFailed } from '../office/load-failed.js'
import { type Office, useOffice } from '../office/office.js'
import { duration } from '../ui/formats.js'
import { Icon } from '../ui/icon.js'
import { Skeleton } from '../ui/placeholders.js'
import { Screen } from '../ui/screen.js'
import { RelativeTime } from '../ui/values.js'
import { EventsTable } from './events-table.js'
import { Sparkline } from './sparkline.js'
import './timeline.css'
import { VISITOR_TIMELINE_TEXTS as TEXTS } from './texts.js'

type Engagement = Awaited<ReturnType<Office['timeline']['visitor']>>

/** What one visitor did, and what was done with them. */
export default function VisitorTimelineScreen() {
  const { slug } = useParams({ from: '/timeline/$slug' })
  const office = useOffice()
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', 'visitor', slug],
    queryFn: () => office.timeline.visitor({ slug }),
  })
  return (
    <Screen
      title={slug}
      intro={<Link to="/timeline">{TEXTS.back}</Link>}
      actions={
        <Link className="button" data-look="plain" to="/visitors/$slug" params={{ slug }}>
          <Icon name="edit" />
          {TEXTS.edit}
        </Link>
      }
      fills
    >
      {error && !data && <LoadFailed error={error} retry={refetch} />}
      {!error && !data && <Skeleton lines={3} />}
      {data && <Counts engagement={data} />}
      <EventsTable label={TEXTS.happened} slug={slug} />
    </Screen>
  )
}

function Counts({ engagement: { counts, days } }: { engagement: Engagement }) {
  const { firstOpenedAt, opens, calls, talked, seconds, lastSeenAt } = counts
  const sum = (of: 'opens' | 'calls') => days.reduce((total, day) => total + day[of], 0)
  return (
    <section aria-label={TEXTS.counts}>
      <dl className="counts">
        <div>
          <dt>{TEXTS.opened}</dt>
          <dd>{firstOpenedAt === null ? TEXTS.notOpened : <RelativeTime at={firstOpenedAt} />}</dd>
        </div>
        <Count name={TEXTS.opens} value={opens} />
        <Count name={TEXTS.calls} value={calls} />
        <Count name={TEXTS.talked} value={talked} />
        <Count name={TEXTS.minutes} value={duration(seconds)} />
        {lastSeenAt !== null && (
          <div>
            <dt>{TEXTS.lastSeen}</dt>
            <dd>
              <RelativeTime at={lastSeenAt} />
            </dd>
          </div>
        )}
      </dl>
      <div className="spark">
        <Sparkline days={days} label={TEXTS.daysSaid(sum('opens'), sum('calls'))} />
        <p className="hint">{TEXTS.days}</p>
      </div>
    </section>
  )
}

function Count({ name, value }: { name: string; value: number | string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
