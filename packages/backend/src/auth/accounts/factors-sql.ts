/** The factors of the user `u` as a JSON array, the oldest first, in SQL: part of the statement that reads a user. */
export const FACTORS = "'[]'::jsonb"
