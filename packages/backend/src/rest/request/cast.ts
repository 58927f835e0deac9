/** Types that a value may be cast to, as SQL has them. None of them looks anything up, as `regclass` and its kin do. */
export const CASTS = {
  text: 'text',
  varchar: 'varchar',
  'character varying': 'varchar',
  bool: 'bool',
  boolean: 'bool',
  int2: 'int2',
  smallint: 'int2',
  int4: 'int4',
  int: 'int4',
  integer: 'int4',
  int8: 'int8',
  bigint: 'int8',
  numeric: 'numeric',
  decimal: 'numeric',
  float4: 'float4',
  real: 'float4',
  float8: 'float8',
  'double precision': 'float8',
  json: 'json',
  jsonb: 'jsonb',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  interval: 'interval',
} as const

export type Cast = keyof typeof CASTS

export const isCast = (name: string): name is Cast => Object.hasOwn(CASTS, name)
