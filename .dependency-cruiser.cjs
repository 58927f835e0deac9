// Arrows point one way: between packages, between the folders of a package, and between files. See docs/architecture.md.
// Run: npx depcruise packages/*/src apps/*/src

/** What each part may import, besides itself. `kit` is below all, and the server may import everything. */
const ARROWS = {
  'packages/kit': [],
  'packages/database': [],
  'packages/room-protocol': [],
  'packages/platform-client': [],
  'packages/backend': ['database'],
  'packages/timeline': ['database'],
  'packages/back-office': [
    'backend',
    'call-desk',
    'timeline',
    'voice-platform',
    'platform-client',
    'database',
  ],
  'packages/call-desk': ['platform-client', 'database'],
  'packages/voice-platform': ['platform-client', 'room-protocol', 'database'],
  'packages/web-call': ['platform-client', 'room-protocol'],
  'apps/console': ['back-office', 'web-call', 'page/src/styles'],
  'apps/page': ['web-call', 'platform-client'],
  'apps/pocket-phone': ['web-call', 'room-protocol'],
}

/** A part as an import reaches it: by its name, or by where that name leads. */
const reached = (part) => `(^|/)(packages|apps|@heyline)/${part}(/|$)`

const arrows = Object.entries(ARROWS).map(([part, below]) => ({
  name: `${part.split('/')[1]}-arrows`,
  comment: `${part} may import ${['kit', ...below].join(', ')}`,
  severity: 'error',
  from: { path: `^${part}/` },
  to: {
    path: '(^|/)(packages|apps|@heyline)/',
    pathNot: [part.split('/')[1], 'kit', ...below].map(reached),
  },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular-files',
      comment:
        'Two files that need each other are one noun, or one of them holds something that belongs below both',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'A folder that needs another is above it. What both need belongs to the lower one',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-app-in-a-package',
      comment: 'Apps are built from packages, never the other way round',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '(^apps/|@heyline/(console|page|pocket-phone|server)(/|$))' },
    },
    {
      name: 'no-reaching-into-a-package',
      comment: "A package's exports are its whole public face: import it by its name",
      severity: 'error',
      from: { path: '^((?:packages|apps)/[^/]+)/' },
      to: { path: '^(packages|apps)/[^/]+/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    ...arrows,
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    includeOnly: ['^(packages|apps)/', '@heyline/'],
    exclude: {
      path: ['\\.test\\.tsx?$', '\\.contract\\.ts$', '/(dist|node_modules)/.*/node_modules/'],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
