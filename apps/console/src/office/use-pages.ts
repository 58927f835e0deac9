import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'

/** A list that is loaded page by page: `load` takes the `next` of the page before. */
export const usePages = <Page extends { next: string | null }>({
  queryKey,
  load,
  refetchInterval,
  keepsPrevious = false,
  enabled,
}: {
  queryKey: readonly unknown[]
  load(next: string | undefined): Promise<Page>
  /** How often it is asked for anew, in ms. */
  refetchInterval?: number
  /** While another list is on its way, the one before stays. */
  keepsPrevious?: boolean
  enabled?: boolean
}) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval,
    placeholderData: keepsPrevious ? keepPreviousData : undefined,
    enabled,
  })

type Pages = Pick<ReturnType<typeof usePages>, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** For a table that goes on by scrolling: loads the next page, unless it is on its way. */
export const goesOn =
  ({ hasNextPage, isFetchingNextPage, fetchNextPage }: Pages) =>
  (): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
