import { type Ref, useId } from 'react'
import type { Takes } from './chosen-file.js'
import { KNOWLEDGE_TEXTS as TEXTS } from './texts.js'

/** Where files are chosen, with what was not taken of the last ones. */
export function AddFiles({
  input,
  takes,
  isBusy,
  failures,
  add,
}: {
  input: Ref<HTMLInputElement>
  takes: Takes
  isBusy: boolean
  failures: readonly string[]
  add(files: readonly File[]): void
}) {
  const id = useId()
  const described = failures.length > 0 ? `${id}-hint ${id}-blame` : `${id}-hint`
  return (
    <div className="labelled">
      <label htmlFor={id}>{TEXTS.add}</label>
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        className="input"
        accept={takes.endings.map((ending) => `.${ending}`).join(',')}
        aria-describedby={described}
        aria-invalid={failures.length > 0 || undefined}
        // It keeps the focus, and opens nothing.
        aria-disabled={isBusy || undefined}
        onClick={(event) => isBusy && event.preventDefault()}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          // So that the same file can be chosen again, once it is mended.
          currentTarget.value = ''
        }}
      />
      <p className="hint" id={`${id}-hint`}>
        {TEXTS.takes(takes.endings, takes.mostBytes)}
      </p>
      <div role="alert" id={`${id}-blame`}>
        {failures.length > 0 && (
          <ul className="knowledge-failures" aria-label={TEXTS.notAdded}>
            {failures.map((failure) => (
              <li key={failure} className="blame">
                {failure}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
