// Rules of oxlint. Which module may import which stands in the tables of `scripts/modules.mjs` and
// `scripts/component-modules.mjs`.
import { COMPONENTS } from './scripts/component-modules.mjs';
import { ENGINE_FLOORS, ENGINE_WORKER, LEAVES, SERVER } from './scripts/modules.mjs';

const SERVER_MODULES = [...Object.keys(SERVER), 'main', 'supervisor'];
const without = (all, some) => all.filter((one) => !some.includes(one));

const NO_PAGES = {
  regex: '^@/(?:app|components)(?:/|$)',
  message: 'The server imports neither pages nor components.',
};
const NO_NEXT = {
  regex: '^next(?:/|$)',
  message: 'Only app/ and server/operate/boot import Next.js.',
  allowTypeImports: true,
};
const NO_NETWORK = {
  regex: '^(?:undici|axios|got|node-fetch|(?:node:)?(?:http|https|http2|tls|dgram))$',
  message: 'server/network/outbound is the only module that opens connections to other hosts.',
  allowTypeImports: true,
};
const NO_DATABASE = {
  regex: '^(?:pg$|@prisma/)|(?:^@/|/)generated/',
  message: 'This module does not use the database.',
};

const NO_DRIVER = {
  regex: '^(?:mysql2|pg-cursor)(?:/|$)',
  message: 'server/network/sql is the only module that opens connections to databases of users.',
};

const NO_REDIS = {
  regex: '^ioredis(?:/|$)',
  message: 'server/network/redis is the only module that opens connections to Redis servers of users.',
};

const NO_MONGO = {
  regex: '^(?:bson|mongodb)(?:/|$)',
  message: 'server/network/mongodb is the only module that opens connections to MongoDB servers.',
};

const NO_IMAP = {
  regex: '^imapflow(?:/|$)',
  message: 'server/network/imap is the only module that opens connections to mailboxes.',
};

const NO_REMOTE = {
  regex: '^(?:ssh2|basic-ftp)(?:/|$)',
  message: 'server/network/remote is the only module that connects to servers by SSH and FTP.',
};

const NO_MODELS = {
  regex: '^@ai-sdk/',
  message:
    'server/network/models and server/evaluation/model-libraries are the only modules that call language models.',
};

/** Modules that speak HTTP or TLS by themselves. */
const MAY_OPEN_SOCKETS = [
  'network/outbound',
  'api/http',
  'api/channel',
  'operate/boot',
  'operate/commands',
  'platform/db',
  'data/files',
];

/** Relative imports stay inside a module: `@/` names the others. */
const NO_WAY_OUT = (modules) => ({
  regex: `^(?:\\.\\./)+(?:server|components|app|contract|generated|${modules.join('|')})(?:/|$)`,
  message: 'Import other modules by @/.',
});

const restrict = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

/** The other modules of the same house, as a relative import names them. */
const listNeighbours = (name) =>
  Object.keys(SERVER).flatMap((other) => {
    const [house, ...rest] = other.split('/');
    return other !== name && rest.length > 0 && name.startsWith(`${house}/`) ? [rest.join('/')] : [];
  });

function serverPatterns(name) {
  const refused = without(SERVER_MODULES, [name, ...LEAVES, ...SERVER[name]]);
  const patterns = [
    NO_PAGES,
    NO_WAY_OUT([...without(Object.keys(SERVER), [name]), ...listNeighbours(name)]),
    {
      regex: `^@/server/(?:${refused.join('|')})(?:/|$)`,
      message: `server/${name} may import ${['contract', ...LEAVES, ...SERVER[name]].join(', ')}: see scripts/modules.mjs.`,
    },
  ];
  if (name !== 'operate/boot') patterns.push(NO_NEXT);
  if (!MAY_OPEN_SOCKETS.includes(name)) patterns.push(NO_NETWORK);
  if (name === 'workflow/nodes') patterns.push(NO_DATABASE);
  if (name !== 'network/sql') patterns.push(NO_DRIVER);
  if (!['network/redis', 'platform/dispatch', 'operate/commands'].includes(name)) patterns.push(NO_REDIS);
  if (name !== 'network/mongodb') patterns.push(NO_MONGO);
  if (name !== 'network/imap') patterns.push(NO_IMAP);
  if (name !== 'network/remote') patterns.push(NO_REMOTE);
  if (name !== 'network/models' && name !== 'evaluation/model-libraries') patterns.push(NO_MODELS);
  return patterns;
}

const serverModule = (name) => restrict([`server/${name}.ts`, `server/${name}/**`], ...serverPatterns(name));

/** A floor of the engine imports no floor above it. */
const engineFloor = (floor, index) =>
  restrict([`server/engine/${floor}/**`], ...serverPatterns('engine'), {
    regex: `^(?:(?:\\.\\./)+|@/server/engine/)(?:${[...ENGINE_WORKER, ...ENGINE_FLOORS.slice(0, index)].join('|')})(?:/|$)`,
    message: `server/engine/${floor} imports no floor above it: see scripts/modules.mjs.`,
  });

const componentModule = (name) =>
  restrict(
    [`components/${name}/**`],
    { regex: '^(?:@/)(?:app|generated|prisma|scripts)(?:/|$)', message: 'components import contract and each other.' },
    { regex: '^@/server(?:/|$)', message: 'Components import types of the server only.', allowTypeImports: true },
    { regex: '^node:', message: 'components run in the browser.' },
    NO_WAY_OUT(Object.keys(COMPONENTS).filter((other) => other !== name)),
    {
      regex: `^@/components/(?:${without(Object.keys(COMPONENTS), [name, ...COMPONENTS[name]]).join('|')})(?:/|$)`,
      message: `components/${name} may import ${['contract', ...COMPONENTS[name]].join(', ')}: see scripts/component-modules.mjs.`,
    },
    ...(name === 'ui' ? [] : [{ regex: '^next/link$', message: 'Link of components/ui prefetches nothing.' }]),
    ...(name === 'graph' ? [{ regex: '^react(?:-dom)?(?:/|$)', message: 'components/graph is free of React.' }] : []),
  );

export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'nextjs', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, browser: true, es2024: true },
  ignorePatterns: ['generated', 'dist', '.next', 'coverage', 'node_modules', 'next-env.d.ts'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': [
      'error',
      {
        fixStyle: 'inline-type-imports',
        prefer: 'type-imports',
      },
    ],
    'import/no-cycle': [
      'error',
      {
        ignoreTypes: false,
      },
    ],
    'no-console': 'error',
    'no-empty': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: [
      'error',
      'always',
      {
        null: 'ignore',
      },
    ],
    'node/no-process-env': 'error',
    'no-restricted-globals': [
      'error',
      {
        name: 'fetch',
        message: 'server/network/outbound is the only module that opens connections to other hosts.',
      },
    ],
    'max-lines': [
      'error',
      {
        max: 300,
      },
    ],
    'react/react-in-jsx-scope': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'unicorn/no-array-for-each': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'no-control-regex': 'off',
    'no-new': 'off',
    'no-unmodified-loop-condition': 'off',
    'no-unused-vars': [
      'error',
      {
        argsIgnorePattern: '^_',
        varsIgnorePattern: '^_',
      },
    ],
    'react/set-state-in-effect': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/no-autofocus': 'off',
    'vitest/expect-expect': 'off',
    'vitest/valid-expect': [
      'error',
      {
        maxArgs: 2,
      },
    ],
    'vitest/no-conditional-expect': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/require-to-throw-message': 'off',
  },
  overrides: [
    { files: ['examples/**'], rules: { 'no-restricted-globals': 'off', 'node/no-process-env': 'off' } },
    restrict(['contract/**'], {
      group: ['**', '!zod', '!./**', '!../**'],
      message: 'contract imports zod and itself only.',
    }),
    restrict(
      ['app/**'],
      {
        regex: `^@/server/(?:${without(SERVER_MODULES, ['api/http', 'people/accounts', 'platform/runtime', 'platform/metrics']).join('|')})(?:/|$)`,
        message: 'Pages call operations; route handlers pass requests to server/api/http.',
      },
      NO_DATABASE,
    ),
    restrict(
      ['import/**'],
      {
        regex: '^(?:@/|(?:\\.\\./)+)(?:app|components|generated|prisma|scripts|server)(?:/|$)',
        message: 'import/ imports contract and itself only: the command line contains it, too.',
      },
      { regex: '^(?:node:|react(?:-dom)?(?:/|$))', message: 'import/ runs in browsers and is free of React.' },
    ),
    ...Object.keys(COMPONENTS).map(componentModule),
    ...Object.keys(SERVER).map(serverModule),
    ...ENGINE_FLOORS.map(engineFloor),
    restrict(
      ['e2e/**'],
      {
        regex: '^@/(?:app|components)(?:/|$)',
        message: 'End-to-end tests see what a user sees.',
        allowTypeImports: true,
      },
      {
        group: ['@/server/**', '../server/**', '!../server/testing/listen', '!../server/testing/servers/**'],
        message: 'End-to-end tests see what a user sees; they may act as other parties.',
        allowTypeImports: true,
      },
    ),
    // They run outside the service.
    restrict(['clients/**'], {
      regex: '^(?:@/|(?:\\.\\./)+(?:app|components|contract|generated|server)(?:/|$))',
      message: 'Clients are packages of their own.',
    }),
    { files: ['clients/**'], rules: { 'no-restricted-globals': 'off' } },
    {
      files: ['server/**', 'contract/**', 'scripts/**', 'bench/**', 'deploy/**', 'e2e/**', 'clients/**'],
      rules: { 'react/hooks': 'off', 'react/rules-of-hooks': 'off' },
    },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'],
      rules: {
        'no-restricted-imports': 'off',
        'no-restricted-globals': 'off',
        'node/no-process-env': 'off',
        'max-lines': 'off',
        'typescript/no-non-null-assertion': 'off',
      },
    },
    {
      files: [
        'server/platform/env/**',
        'scripts/**',
        'bench/**',
        'deploy/**',
        'prisma/**',
        '*.config.*',
        'e2e/**',
        'clients/cli/**',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['oxlint.config.mjs', 'scripts/modules.mjs'],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['server/network/outbound/**', 'components/**', 'app/**', 'scripts/**', 'bench/**', 'deploy/**', 'e2e/**'],
      rules: { 'no-restricted-globals': 'off' },
    },
  ],
};
