/** Who did it, without saying which operator: `actor` of an event may be an operator's address. */
export const actorKind = (actor: string): 'visitor' | 'system' | 'operator' =>
  actor === 'visitor' || actor === 'system' ? actor : 'operator'
