import { texts } from '../texts.js'

/** Above these many characters a name is set smaller. */
const LONG = 24
const LONGEST = 80

/**
 * The blocks of the right-to-left scripts, Hebrew and Arabic first, with their presentation forms, and the invisible
 * characters that turn the direction of what follows them.
 */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{1e800}-\u{1efff}]/u

/** 'Hey {name},' (spec 2). A name that runs right to left is kept apart, so that the comma stays behind it. */
export function Greeting({ name }: { name: string }) {
  const size = name.length > LONGEST ? ' longest-name' : name.length > LONG ? ' long-name' : ''
  return (
    <h1 className={`fade-first${size}`}>
      {RIGHT_TO_LEFT.test(name) ? <Isolated name={name} /> : texts.greeting(name)}
    </h1>
  )
}

function Isolated({ name }: { name: string }) {
  const [before, after] = texts.greeting('\n').split('\n')
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}
