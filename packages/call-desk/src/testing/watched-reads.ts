import type { Db, Queryable } from '@heyline/database'

/** A database that tells how many rows the longest part of any SELECT has read, those that a filter dropped among them. */
export function watchReads(db: Db): { watched: Db; most: () => number } {
  let most = 0
  const queryOf =
    (through: Queryable): Queryable['query'] =>
    async (sql, parameters, options) => {
      if (/^\s*(select|with asked)/.test(sql)) {
        const { rows } = await through.query(`explain (analyze, format json) ${sql}`, parameters)
        const read = JSON.stringify(rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)
        most = Math.max(most, ...Array.from(read, ([, count]) => Number(count)))
      }
      return await through.query(sql, parameters, options)
    }
  const exec: Db['exec'] = (sql) => db.exec(sql)
  const transaction: Db['transaction'] = (run, options) =>
    db.transaction((tx) => run({ query: queryOf(tx), exec: (sql) => tx.exec(sql) }), options)
  return {
    watched: Object.assign(Object.create(db), { query: queryOf(db), exec, transaction }),
    most: () => most,
  }
}
