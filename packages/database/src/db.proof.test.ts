import { describeDb } from './contract/db.contract.js'
import { DATABASES } from './testing/databases.js'

for (const { name, open } of DATABASES) describeDb(name, (options) => open({ ...options, content: 'empty' }))
