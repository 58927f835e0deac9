import { placeToCut } from '../engines/sentences.js'
import type { Section } from './parsing/section.js'

/** A piece of a file that answers a question by itself. */
export interface Passage {
  heading?: string
  page?: number
  text: string
}

/** Characters of a passage, about; and how many of them it shares with the one before. */
export const PASSAGE_CHARACTERS = 1_000
const OVERLAP = 150

/**
 * Cuts sections into passages: between paragraphs, else between lines and sentences, else anywhere. A passage never spans two sections, and
 * begins with the last sentences of the one before.
 */
export function passagesOf(sections: readonly Section[]): Passage[] {
  return sections.flatMap(({ text, ...place }) => cut(text).map((piece) => ({ ...place, text: piece })))
}

function cut(text: string): string[] {
  const passages: string[] = []
  let passage = ''
  for (const { piece, joint } of piecesOf(text)) {
    if (passage === '') passage = piece
    else if (passage.length + joint.length + piece.length <= PASSAGE_CHARACTERS) passage += joint + piece
    else {
      passages.push(passage)
      const shared = tailOf(passage)
      passage = shared === '' ? piece : shared + joint + piece
    }
  }
  if (passage !== '') passages.push(passage)
  return passages
}

/** A paragraph that is longer than this is cut, so that it fits behind what the passage shares with the one before. */
const LONGEST_PIECE = PASSAGE_CHARACTERS - OVERLAP - 2

interface Piece {
  piece: string
  /** What stood before it. */
  joint: string
}

function piecesOf(text: string): Piece[] {
  return text.split('\n\n').flatMap((paragraph) => {
    if (paragraph.length <= LONGEST_PIECE) return { piece: paragraph, joint: '\n\n' }
    return paragraph.split('\n').flatMap((line, index) => linePieces(line, index === 0 ? '\n\n' : '\n'))
  })
}

function linePieces(line: string, before: string): Piece[] {
  const pieces: Piece[] = []
  let rest = line
  while (rest.length > LONGEST_PIECE) {
    const end = endOfSentence(rest) ?? placeToCut(rest, LONGEST_PIECE)
    pieces.push({ piece: rest.slice(0, end).trim(), joint: pieces.length > 0 ? ' ' : before })
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') pieces.push({ piece: rest, joint: pieces.length > 0 ? ' ' : before })
  return pieces
}

/** Behind the last sentence that ends in the second half. */
function endOfSentence(text: string): number | undefined {
  const head = text.slice(0, LONGEST_PIECE)
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => head.lastIndexOf(mark)))
  return end >= LONGEST_PIECE / 2 ? end + 1 : undefined
}

/** The last whole sentences or lines of a passage. */
function tailOf(passage: string): string {
  const tail = passage.slice(-OVERLAP)
  if (tail.length === passage.length) return ''
  const begin = /[.!?]\s|\n/.exec(tail)
  return begin ? tail.slice(begin.index + begin[0].length).trim() : ''
}
