import { Icon } from './icons.js'

/** Who calls: the company's name where it is known, and the number. */
export function Caller({ name, number }: { name: string; number: string }) {
  return (
    <div className="who">
      <div className="portrait">
        {name ? <span aria-hidden="true">{initials(name)}</span> : <Icon name="person" />}
      </div>
      {name && (
        <p className="name" id="caller-name">
          {name}
        </p>
      )}
      <p className="caller" id="caller-number">
        {number}
      </p>
    </div>
  )
}

/** The first letters of the first two words. */
const initials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('')
