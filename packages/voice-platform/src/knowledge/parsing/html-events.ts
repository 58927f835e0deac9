import { Tokenizer } from 'htmlparser2'

/** What is told of a page, in its order. Names are in small letters. */
export interface HtmlEvents {
  onopentag(name: string): void
  ontext(piece: string): void
  /** Also of an element whose end the page leaves out. One that holds nothing is closed at once. */
  onclosetag(name: string): void
}

const namesOf = (names: string) => names.split(' ')

/** Elements that hold nothing. */
const VOID = new Set(
  namesOf(
    'area base basefont br col command embed frame hr image img input isindex keygen link meta param source track wbr',
  ),
)
/** In these `<x/>` is a whole element. */
const FOREIGN = ['svg', 'math']
const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const FORM_PARTS = 'input option optgroup select button datalist textarea'
/** Elements at whose beginning the innermost open one ends, where it is one of these: pages leave such ends out. */
const ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['tr', 'tr th td'],
    ['th', 'th'],
    ['td', 'thead th td'],
    ['tbody tfoot', 'thead tbody'],
    ['body', 'head link script'],
    ['a', 'a'],
    ['li', 'li'],
    ['dd dt', 'dd dt'],
    ['rt rp', 'rt rp'],
    [HEADINGS, `${HEADINGS} p`],
    ['select input output button datalist textarea', FORM_PARTS],
    ['option', 'option'],
    ['optgroup', 'optgroup option'],
    [
      'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
      'p',
    ],
  ].flatMap(([names = '', ended = '']) => {
    const all = new Set(namesOf(ended))
    return namesOf(names).map((name) => [name, all] as const)
  }),
)

/**
 * Tells what is on a page, however damaged it is. The work grows with the length of the page alone: the parser of the same library looks through all
 * open elements at each end, so that a page of a megabyte that closes none takes it half a minute.
 */
export function readHtml(html: string, events: HtmlEvents): void {
  const open = new OpenElements(events)
  let name = ''
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
      },
      onopentagend: () => open.begin(name),
      onselfclosingtag() {
        open.begin(name)
        if (open.isForeign && open.innermost === name) open.endInnermost()
      },
      onclosetag: (start, end) => open.end(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => events.ontext(html.slice(start, end)),
      ontextentity: (codepoint) => events.ontext(String.fromCodePoint(codepoint)),
      oncdata(start, end, offset) {
        if (open.isForeign) events.ontext(html.slice(start, end - offset))
      },
      isInForeignContext: () => open.isForeign,
      onend: () => open.endAll(),
      ...{ onattribname: nothing, onattribdata: nothing, onattribentity: nothing, onattribend: nothing },
      ...{ oncomment: nothing, ondeclaration: nothing, onprocessinginstruction: nothing },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** The elements that stand open, with how many there are of each name: none has to be looked for among them. */
class OpenElements {
  readonly #events: HtmlEvents
  readonly #stack: { name: string; open: number }[] = []
  readonly #byName = new Map<string, { name: string; open: number }>()

  constructor(events: HtmlEvents) {
    this.#events = events
  }

  get innermost(): string | undefined {
    return this.#stack.at(-1)?.name
  }

  get isForeign(): boolean {
    return FOREIGN.some((name) => this.#isOpen(name))
  }

  begin(name: string): void {
    // A form in a form is none (HTML 13.2.6.4.7).
    if (name === 'form' && this.#isOpen(name)) return
    const ended = ENDS.get(name)
    while (this.innermost !== undefined && ended?.has(this.innermost)) this.endInnermost()
    this.#events.onopentag(name)
    if (VOID.has(name)) {
      this.#events.onclosetag(name)
      return
    }
    const element = this.#byName.get(name) ?? { name, open: 0 }
    this.#byName.set(name, element)
    element.open += 1
    this.#stack.push(element)
  }

  /** Ends the innermost element of this name, and those in it. Without one it does nothing, but for what begins there itself. */
  end(name: string): void {
    if (name === 'br') this.begin(name)
    else if (name === 'p' && !this.#isOpen(name)) this.begin(name)
    if (!this.#isOpen(name)) return
    while (this.innermost !== name) this.endInnermost()
    this.endInnermost()
  }

  endInnermost(): void {
    const element = this.#stack.pop()
    if (!element) return
    element.open -= 1
    this.#events.onclosetag(element.name)
  }

  endAll(): void {
    while (this.#stack.length > 0) this.endInnermost()
  }

  #isOpen(name: string): boolean {
    return (this.#byName.get(name)?.open ?? 0) > 0
  }
}
