import type { ReactNode } from 'react'

export interface Head {
  text: string
  /** Numbers stand at the end. */
  isNumber?: boolean
}

/** A table to read, as long as it is; its first column names the rows. On a phone each row is a card. */
export function PlainTable({
  label,
  heads,
  rows,
}: {
  label: string
  heads: readonly Head[]
  /** A cell for each head. */
  rows: readonly { id: string; cells: readonly ReactNode[] }[]
}) {
  return (
    <table className="plain-table" aria-label={label}>
      <thead>
        <tr>
          {heads.map(({ text, isNumber }) => (
            <th key={text} scope="col" data-align={isNumber ? 'end' : undefined}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells: [name, ...cells] }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {heads.slice(1).map(({ text, isNumber }, place) => (
              <td key={text} data-header={text} data-align={isNumber ? 'end' : undefined}>
                <div>{cells[place]}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
