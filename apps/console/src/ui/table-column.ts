import type { ReactNode } from 'react'

/** A column of a table of `Row`s. */
export interface TableColumn<Row> {
  /** Its name in the address and in a sort. */
  id: string
  header: string
  cell(row: Row): ReactNode
  isSortable?: boolean
  /** Numbers stand at the end. */
  align?: 'start' | 'end'
  /** Of the columns' whole width; 1 where it is left out. */
  share?: number
  /** What names a row: on a phone it stands above the others, without its header. */
  isTitle?: boolean
  /** What can be done to a row: on a phone it stands in the corner, without its header. */
  isMenu?: boolean
  /** Its text takes as many lines as it needs. */
  wraps?: boolean
}

export interface TableSort {
  id: string
  isDescending: boolean
}
