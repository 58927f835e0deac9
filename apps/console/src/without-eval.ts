/** zod tries `new Function` where it is not told that a page forbids it: the browser would report each try. Imported before any schema is made. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
