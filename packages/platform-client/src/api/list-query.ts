/** What every plain list can be narrowed by. Times are ISO 8601 or a `Date`. */
export interface ListQuery {
  /** Most items returned, 0–1000. Default 100. */
  limit?: number
  /** Created after. */
  createdAtGt?: Date | string
  /** Created before. */
  createdAtLt?: Date | string
  /** Created at or after. */
  createdAtGe?: Date | string
  /** Created at or before. */
  createdAtLe?: Date | string
  /** Changed after. */
  updatedAtGt?: Date | string
  /** Changed before. */
  updatedAtLt?: Date | string
  /** Changed at or after. */
  updatedAtGe?: Date | string
  /** Changed at or before. */
  updatedAtLe?: Date | string
}
