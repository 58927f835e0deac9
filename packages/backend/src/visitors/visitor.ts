/** A visitor as it is listed; the prompts are long and private, so they are not here. */
export interface ListedVisitor {
  slug: string
  name: string
}

/** A visitor as it is stored (spec 3), under the names that the table, the wire and the files use. */
export interface Visitor extends ListedVisitor {
  system: string | null
  first_message: string | null
  /** Shown to every request; left out where the table has no such column (a hosted one). */
  listed?: boolean
}

/** A part of the list. */
export interface VisitorPage {
  visitors: ListedVisitor[]
  /** The slug after which the next part begins; null at the end. */
  next: string | null
}
