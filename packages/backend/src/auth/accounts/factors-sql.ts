/** The factors of the user `u` as a JSON array, the oldest first, in SQL: part of the statement that reads a user. */
export const FACTORS = `coalesce((
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
      'friendly_name', nullif(f.friendly_name, ''), 'factor_type', f.factor_type, 'phone', f.phone,
      'last_challenged_at', f.last_challenged_at
    )) order by f.created_at, f.id)
    from auth.mfa_factors f where f.user_id = u.id
  ), '[]')`
