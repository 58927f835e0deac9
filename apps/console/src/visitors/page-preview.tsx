import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOffice } from '../office/office.js'
import { Choices } from '../ui/choices.js'
import { useQuietValue } from '../ui/use-quiet-value.js'
import { EDITOR_TEXTS } from './texts.js'

const SIZES = [
  { value: 'phone', label: EDITOR_TEXTS.phone },
  { value: 'desktop', label: EDITOR_TEXTS.desktop },
] as const
const SCHEMES = [
  { value: 'light', label: EDITOR_TEXTS.light },
  { value: 'dark', label: EDITOR_TEXTS.dark },
] as const
const QUIET_MS = 300

/**
 * The page of a visitor as the server renders it, to be looked at: it has no scripts, its frame allows none, and nothing in it can be pressed.
 */
export function PagePreview({ name }: { name: string }) {
  const office = useOffice()
  const [size, setSize] = useState<'phone' | 'desktop'>('phone')
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const settled = useQuietValue(name.trim(), QUIET_MS)
  const { data } = useQuery({
    queryKey: ['page-preview', settled, scheme],
    queryFn: () => office.visitors.previewPage({ name: settled, scheme }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="preview" aria-label={EDITOR_TEXTS.preview}>
      <div className="toolbar">
        <Choices label={EDITOR_TEXTS.size} options={SIZES} value={size} choose={setSize} />
        <Choices label={EDITOR_TEXTS.scheme} options={SCHEMES} value={scheme} choose={setScheme} />
      </div>
      <div className="preview-room" data-size={size}>
        <iframe
          title={EDITOR_TEXTS.previewOf}
          className="preview-frame"
          data-size={size}
          sandbox=""
          inert
          tabIndex={-1}
          srcDoc={data?.html ?? ''}
        />
      </div>
    </section>
  )
}
