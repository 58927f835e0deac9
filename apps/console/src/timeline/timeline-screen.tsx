import { useNavigate, useSearch } from '@tanstack/react-router'
import { Choices } from '../ui/choices.js'
import { DownloadLink } from '../ui/download-link.js'
import { Screen } from '../ui/screen.js'
import { Select } from '../ui/select.js'
import { EngagedTable } from './engaged-table.js'
import { EventsTable } from './events-table.js'
import './timeline.css'
import { EVENT_CHOICES, type EventType, TIMELINE_TEXTS } from './texts.js'

const ALL = 'all'
const PARTS = [
  { value: 'visitors', label: TIMELINE_TEXTS.visitors },
  { value: 'events', label: TIMELINE_TEXTS.everything },
] as const
const WHO = [
  { value: ALL, label: TIMELINE_TEXTS.all },
  { value: 'opened', label: TIMELINE_TEXTS.opened },
  { value: 'opened_not_called', label: TIMELINE_TEXTS.openedNotCalled },
  { value: 'talked', label: TIMELINE_TEXTS.talked },
  { value: 'talked_over_a_minute', label: TIMELINE_TEXTS.talkedOverAMinute },
] as const
const WHAT: { value: EventType | typeof ALL; label: string }[] = [
  { value: ALL, label: TIMELINE_TEXTS.anything },
  ...EVENT_CHOICES,
]

/** Who was here, and all that happened. What is looked for stands in the address. */
export default function TimelineScreen() {
  const { part = 'visitors', who, type: asked } = useSearch({ from: '/timeline' })
  const type = EVENT_CHOICES.find(({ value }) => value === asked)?.value
  const navigate = useNavigate({ from: '/timeline' })
  const isOfEvents = part === 'events'
  return (
    <Screen
      title={TIMELINE_TEXTS.title}
      intro={TIMELINE_TEXTS.intro}
      fills
      actions={
        <DownloadLink
          href={`/-/office/timeline/export.csv?safe=true${type ? `&types=${type}` : ''}`}
          file="timeline.csv"
          hint={TIMELINE_TEXTS.exportHint}
        >
          {TIMELINE_TEXTS.export}
        </DownloadLink>
      }
    >
      <div className="toolbar">
        <Choices
          label={TIMELINE_TEXTS.parts}
          options={PARTS}
          value={part}
          choose={(chosen) => void navigate({ search: { part: chosen === 'visitors' ? undefined : chosen } })}
        />
        <div className="timeline-choice">
          {isOfEvents ? (
            <Select
              label={TIMELINE_TEXTS.what}
              isBare
              options={WHAT}
              value={type ?? ALL}
              choose={(chosen) =>
                void navigate({ search: { part, type: chosen === ALL ? undefined : chosen } })
              }
            />
          ) : (
            <Select
              label={TIMELINE_TEXTS.which}
              isBare
              options={WHO}
              value={who ?? ALL}
              choose={(chosen) => void navigate({ search: { who: chosen === ALL ? undefined : chosen } })}
            />
          )}
        </div>
      </div>
      {isOfEvents ? (
        <EventsTable label={TIMELINE_TEXTS.everything} type={type} />
      ) : (
        <EngagedTable filter={who} />
      )}
    </Screen>
  )
}
