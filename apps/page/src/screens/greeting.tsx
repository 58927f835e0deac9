import { RIGHT_TO_LEFT } from '../document/right-to-left.js'
import { TEXTS } from '../document/texts.js'

/** Above these many characters a name is set smaller. */
const LONG = 24
const LONGEST = 80

/** 'Hey {name},' (spec 2). A name that runs right to left is kept apart, so that the comma stays behind it. */
export function Greeting({ name }: { name: string }) {
  const size = name.length > LONGEST ? ' longest-name' : name.length > LONG ? ' long-name' : ''
  return (
    <h1 className={`fade-first${size}`}>
      {RIGHT_TO_LEFT.test(name) ? <Isolated name={name} /> : TEXTS.greeting(name)}
    </h1>
  )
}

function Isolated({ name }: { name: string }) {
  const [before, after] = TEXTS.greeting('\n').split('\n')
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  )
}
