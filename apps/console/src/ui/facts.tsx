import type { ReactNode } from 'react'

/** Something that is known, by name. */
export interface Fact {
  name: string
  value: ReactNode
  /** What it is about. */
  meaning?: string
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, meaning }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {meaning !== undefined && <p className="hint">{meaning}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
