import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checksumOf } from './migrator/migration-folder.js'
import { narrowing } from './testing/narrowing.js'
import { SQL_FOLDER } from './testing/test-directory.js'

/** The newest migration of the time before these rules. */
const BEFORE_RULES = '20261123001200'

const read = (path: string): string => readFileSync(join(SQL_FOLDER, path), 'utf8')
const files = readdirSync(join(SQL_FOLDER, 'migrations')).sort()
/** Lines as `sha256sum` writes them. */
const released = new Map(
  read('released.sha256')
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2}migrations\//))
    .map(([sum = '', file = '']) => [file, sum]),
)

describe('migrations', () => {
  it('are never edited, removed or put between others once they are released', () => {
    for (const [file, sum] of released) expect(checksumOf(read(`migrations/${file}`)), file).toBe(sum)
    const newest = [...released.keys()].sort().at(-1) ?? ''
    expect(files.filter((file) => !released.has(file) && file < newest)).toEqual([])
  })

  it('only widen, and build indexes while everybody works', () => {
    const complaints = files
      .filter((file) => file > `${BEFORE_RULES}_~`)
      .flatMap((file) => narrowing(read(`migrations/${file}`)).map((line) => `${file}: ${line}`))
    expect(complaints).toEqual([])
  })

  it.each([
    'create index calls_x on voice_platform.calls (x)',
    'create unique index if not exists calls_x on voice_platform.calls (x)',
    'create index on voice_platform.calls using brin (x)',
    'do $$ begin create index calls_x on voice_platform.calls (x); end $$',
    'drop table a.b',
    'alter table a.b drop column c',
    'alter table a.b drop c',
    'ALTER TABLE a.b\n  RENAME COLUMN c TO d',
    'alter table a.b rename to c',
    'alter table a.b alter column c set not null',
    'alter table a.b alter c type bigint',
    'alter table a.b add column d int, alter column c set data type text',
    'alter table a.b add column c int not null',
    'alter table a.b add column c uuid default gen_random_uuid()',
    'alter table a.b add column c int generated always as (d + 1) stored',
    'alter table a.b add column c int unique',
    'alter table a.b add constraint c check (d > 0)',
    'alter table a.b add foreign key (c) references a.d',
    'create table a.c (id int); alter table a.b alter column c set not null',
    'truncate a.b',
  ])('may not: %s', (sql) => {
    expect(narrowing(sql)).toHaveLength(1)
  })

  it.each([
    'create table a.b (id int primary key, c text not null unique); create index b_c on a.b (c)',
    '-- concurrently\ncreate index if not exists calls_x on voice_platform.calls (x)',
    "alter table a.b add column c int, add column d text not null default 'drop table'",
    'alter table a.b alter column c drop not null',
    'alter table a.b drop constraint c; alter table a.b add constraint c check (d > 0) not valid',
    'create or replace function a.f() returns int language sql return 1; -- rename to',
    '-- contracts: nothing reads it since 0.2\nalter table a.b drop column c',
    'create index if not exists b_c on a.b (c); create table if not exists a.b (c int)',
  ])('may: %s', (sql) => {
    expect(narrowing(sql)).toEqual([])
  })
})
