import type { Office } from '../office/office.js'

/** What calls cost day by day, and the budgets. */
export type Spend = Awaited<ReturnType<Office['safety']['spend']>>
