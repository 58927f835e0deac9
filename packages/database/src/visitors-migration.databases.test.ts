import { DATABASES } from './testing/databases.js'
import { describeVisitors } from './visitors-migration.contract.js'

for (const { name, open } of DATABASES) describeVisitors(name, open)
