import { type Loop, parseLoop } from './liquid-loop.js'

/** A part of a text as Liquid reads it. */
export type LiquidNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: string }
  | { kind: 'choice'; branches: Branch[] }
  | { kind: 'loop'; loop: Loop; body: LiquidNode[]; otherwise: LiquidNode[] }

/** What is said where its condition holds. The last one of a choice may have none. */
interface Branch {
  condition?: string
  isNegated?: boolean
  nodes: LiquidNode[]
}

/** A value, or a tag. A value holds no brace, and a tag no other tag, so a text is read in one pass. */
const TOKEN = /\{\{([^{}]*)\}\}|\{%((?:(?!%\}|\{%)[\s\S])*)%\}/g
const TAG = /^\s*(\w+)\s*([\s\S]*)$/
/** Most blocks inside one another. */
const MOST_DEPTH = 20

/** A block that is not closed yet. */
interface OpenBlock {
  tag: 'if' | 'unless' | 'for'
  /** What it was written as, should its end be missing. */
  parts: { source: string; nodes: LiquidNode[] }[]
  branches: Branch[]
  loop?: Loop
}

/** Reads a text. A tag that is not known, is not complete or has no end stays as it is written. */
export function liquidNodes(text: string): LiquidNode[] {
  const root: LiquidNode[] = []
  const open: OpenBlock[] = []
  const nodes = () => open.at(-1)?.parts.at(-1)?.nodes ?? root
  let end = 0
  let trims = false
  const addText = (until: number, trimsEnd: boolean) => {
    let between = text.slice(end, until)
    if (trims) between = between.trimStart()
    if (trimsEnd) between = between.trimEnd()
    if (between !== '') nodes().push({ kind: 'text', text: between })
  }
  for (const token of text.matchAll(TOKEN)) {
    const [source, value, tag] = token
    const inside = value ?? tag ?? ''
    addText(token.index, inside.startsWith('-'))
    trims = inside.endsWith('-')
    end = token.index + source.length
    const bare = inside.replace(/^-|-$/g, '')
    if (value !== undefined) nodes().push({ kind: 'value', expression: bare })
    else if (!takeTag(bare, source, open, root)) nodes().push({ kind: 'text', text: source })
  }
  addText(text.length, false)
  while (open.length > 0) giveUp(open, root)
  return root
}

/** False where the tag means nothing here. */
function takeTag(inside: string, source: string, open: OpenBlock[], root: LiquidNode[]): boolean {
  const [, tag = '', rest = ''] = TAG.exec(inside) ?? []
  const block = open.at(-1)
  const part = { source, nodes: [] }
  if (tag === 'if' || tag === 'unless') {
    if (rest.trim() === '' || open.length === MOST_DEPTH) return false
    const branch = { condition: rest, isNegated: tag === 'unless', nodes: part.nodes }
    open.push({ tag, parts: [part], branches: [branch] })
    return true
  }
  if (tag === 'for') {
    const loop = parseLoop(rest)
    if (!loop || open.length === MOST_DEPTH) return false
    open.push({ tag, parts: [part], branches: [{ nodes: part.nodes }], loop })
    return true
  }
  if (!block) return false
  const isChoice = block.tag !== 'for'
  if (tag === 'else' || (tag === 'elsif' && isChoice && rest.trim() !== '')) {
    if (block.parts.length > 1 && block.branches.at(-1)?.condition === undefined) return false
    block.parts.push(part)
    block.branches.push({ ...(tag === 'elsif' && { condition: rest }), nodes: part.nodes })
    return true
  }
  if (tag !== `end${block.tag}`) return false
  open.pop()
  const outer = open.at(-1)?.parts.at(-1)?.nodes ?? root
  const [body, otherwise] = block.parts
  outer.push(
    block.loop
      ? { kind: 'loop', loop: block.loop, body: body?.nodes ?? [], otherwise: otherwise?.nodes ?? [] }
      : { kind: 'choice', branches: block.branches },
  )
  return true
}

/** A block without an end is no block: its tags are text, and what is between them counts. */
function giveUp(open: OpenBlock[], root: LiquidNode[]): void {
  const block = open.pop()
  const outer = open.at(-1)?.parts.at(-1)?.nodes ?? root
  for (const { source, nodes } of block?.parts ?? []) {
    outer.push({ kind: 'text', text: source })
    for (const node of nodes) outer.push(node)
  }
}
