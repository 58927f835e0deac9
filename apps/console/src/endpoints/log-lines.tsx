import type { ReactNode } from 'react'
import { LoadFailed } from '../office/load-failed.js'
import { Button, Buttons } from '../ui/button.js'
import { Skeleton } from '../ui/placeholders.js'
import { LOG_TEXTS } from './texts.js'
import type { useLog } from './use-log.js'

/** The lines of a log, and more of them on request. */
export function LogLines({
  log,
  children,
}: {
  log: Pick<
    ReturnType<typeof useLog>,
    'data' | 'error' | 'refetch' | 'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage'
  >
  children: ReactNode[]
}) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = log
  if (error && !data) return <LoadFailed error={error} retry={refetch} />
  if (!data) return <Skeleton lines={4} />
  if (children.length === 0) return <p>{LOG_TEXTS.nothing}</p>
  return (
    <>
      <ul className="endpoints">{children}</ul>
      {hasNextPage && (
        <Buttons>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {LOG_TEXTS.more}
          </Button>
        </Buttons>
      )}
    </>
  )
}
