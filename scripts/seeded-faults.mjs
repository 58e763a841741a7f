/**
 * One fault in one file: `find` occurs once in it and is replaced. Some of `tests` must then fail, by the tests that
 * `npm test` runs. `instead`: the tests that used to find such a fault, and that run seldom or no more.
 *
 * @typedef {{ instead: string, file: string, find: string, replace: string, tests: string[] }} SeededFault
 */

const ROLES = 'server/api/http/matrix/roles.test.ts';
const RIGHTS = 'server/api/http/matrix/rights.test.ts';
const INPUTS = 'server/api/http/matrix/inputs.test.ts';

/** @type {SeededFault[]} */
export const SEEDED_FAULTS = [
  {
    instead: '20,000 random expressions in JavaScript: the fast path gives nothing for what is inherited',
    file: 'server/evaluation/expressions/javascript/fast-values.ts',
    find: 'return name in boxed ? FALL_BACK : undefined;',
    replace: 'return undefined;',
    tests: ['server/evaluation/expressions/javascript/fast-path.test.ts'],
  },
  {
    instead: 'a call of each operation in each role: a role may do more',
    file: 'server/people/access/permissions.ts',
    find: "grants: { workflow: ['execute'], execution:",
    replace: "grants: { workflow: ['execute', 'delete'], execution:",
    tests: [RIGHTS],
  },
  {
    instead: 'a call of each operation in each role: an operation asks for another permission',
    file: 'server/api/operations/workflows/workflows.ts',
    find: "access: memberAccess('workflow', 'delete')",
    replace: "access: memberAccess('workflow', 'read')",
    tests: [RIGHTS],
  },
  {
    instead: 'a call of each operation in each role: a missing permission is let pass',
    file: 'server/people/access/require.ts',
    find: `  if (!permissions.some((permission) => permissionCovers(permission, resource, action)))
    throw permissionRefusal`,
    replace: `  if (!permissions.some((permission) => permissionCovers(permission, resource, action)) && action === 'update')
    throw permissionRefusal`,
    tests: [ROLES],
  },
  {
    instead: 'a call of each operation with a key of each scope: a scope allows more',
    file: 'server/people/access/scopes.ts',
    find: "const ADMIN_SCOPE_RESOURCES: PermissionResource[] = ['member', 'role', 'sso_provider', 'api_key', 'audit'];",
    replace:
      "const ADMIN_SCOPE_RESOURCES: PermissionResource[] = ['member', 'role', 'sso_provider', 'api_key', 'audit', 'credential'];",
    tests: [RIGHTS],
  },
  {
    instead: 'a call of each operation with a key of each scope: keys reach what concerns a person',
    file: 'server/api/pipeline/steps/allow.ts',
    find: "allowsLimited === true || (allowsLimited === 'session' && person?.sessionId);",
    replace: "allowsLimited === true || allowsLimited === 'session' || person?.userId;",
    tests: [ROLES],
  },
  {
    instead: 'a call of each operation with each bad token: its age is not limited',
    file: 'server/people/auth/tokens.ts',
    find: 'if (!hasOnlyClaims || exp - iat !== ACCESS_TOKEN_SECONDS ||',
    replace: 'if (!hasOnlyClaims || exp - iat < ACCESS_TOKEN_SECONDS ||',
    tests: [ROLES],
  },
  {
    instead: 'a call of each operation by a stranger: a foreign workspace is told from one that does not exist',
    file: 'server/api/pipeline/steps/identify.ts',
    find: "    : notFoundProblem('The workspace');",
    replace: "    : forbiddenProblem('You are no member of this workspace.');",
    tests: [ROLES],
  },
  {
    instead: 'unknown query parameters of each operation: they are ignored',
    file: 'contract/text.ts',
    find: 'export const PaginationQuery = z.strictObject(',
    replace: 'export const PaginationQuery = z.object(',
    tests: [INPUTS],
  },
  {
    instead: 'repeated query parameters of each operation: the last one wins',
    file: 'server/api/pipeline/steps/parse.ts',
    find: 'texts.set(field, texts.has(field) ? null : value);',
    replace: 'texts.set(field, value);',
    tests: [INPUTS],
  },
  {
    instead: 'unknown fields in the body of each operation: they are ignored',
    file: 'contract/alert.ts',
    find: 'export const UpdateAlertRequest = z.strictObject(',
    replace: 'export const UpdateAlertRequest = z.object(',
    tests: [INPUTS],
  },
  {
    instead: 'bodies of each operation that are not JSON by their type: they are read',
    file: 'server/api/pipeline/steps/parse.ts',
    find: '  if (rawBody.length > 0) requireJsonContentType(headers);\n',
    replace: '  if (rawBody.length > 100) requireJsonContentType(headers);\n',
    tests: [INPUTS],
  },
  {
    instead: 'deep nesting in the body of each operation: it is not limited',
    file: 'server/platform/messages/json-in-pieces.ts',
    find: "      if (levels.length > limits.depth) throw exceeded('depth');\n",
    replace: '',
    tests: [INPUTS],
  },
  {
    instead: '3,000 texts of JSON: an escaped quote ends a text',
    file: 'server/platform/messages/json-in-pieces.ts',
    find: 'if (code === BACKSLASH) at++;',
    replace: 'if (code === BACKSLASH) at += 0;',
    tests: ['server/platform/messages/json-in-pieces.test.ts'],
  },
  {
    instead: '1,000 secrets in encodings: a plus sign is not a space',
    file: 'server/evaluation/redaction/automaton.ts',
    find: 'for (let at = symbols.indexOf(PLUS_BYTE); at >= 0; at = symbols.indexOf(PLUS_BYTE, at)) symbols[at] = SPACE_BYTE;',
    replace: 'for (let at = symbols.indexOf(PLUS_BYTE, 1); at >= 0; at = -1) symbols[at] = SPACE_BYTE;',
    tests: [
      'server/evaluation/redaction/encodings.test.ts',
      'server/evaluation/redaction/redactor.test.ts',
      'server/evaluation/redaction/automaton.test.ts',
    ],
  },
  {
    instead: '800 expressions on the fast path: a text is compared with a number',
    file: 'server/evaluation/expressions/fast-path.ts',
    find: 'typeof one === typeof other && types.includes(typeof one)',
    replace: 'types.includes(typeof one)',
    tests: ['server/evaluation/expressions/fast-path.test.ts'],
  },
  {
    instead: '250 groups of rules as JSONata: a group in a group has no brackets',
    file: 'components/forms/rules/model/print-rules.ts',
    find: 'isCompound ? `(${text})` : text',
    replace: 'isCompound && members.length > 2 ? `(${text})` : text',
    tests: ['components/forms/rules/model/rule-model.test.ts'],
  },
  {
    instead: '200 graphs with a circle: one is not found',
    file: 'server/workflow/definition/cycles.ts',
    find: 'isDone.get(edge.target) === false',
    replace: 'isDone.get(edge.target) === false && path.length > 2',
    tests: ['server/workflow/definition/definition.test.ts'],
  },
  {
    instead: '150 filters of lists: an empty one shows all',
    file: 'server/people/access/filter.ts',
    find: 'return some.length > 0 ? { OR: some } : { id: { in: [] } };',
    replace: 'return some.length > 0 ? { OR: some } : {};',
    tests: ['server/people/access/filter.test.ts'],
  },
  {
    instead: 'a fleet over Redis: nobody hears of changed runs',
    file: 'server/platform/dispatch/redis.ts',
    find: "publishIds('changed', executionIds),",
    replace: "publishIds('presence', executionIds),",
    tests: ['server/platform/dispatch/dispatcher.test.ts'],
  },
  {
    instead: 'fairness in a fleet of processes: the oldest runs come first, whoever has them',
    file: 'server/engine/queue/claim.ts',
    find: 'AND workspace_id > $3 AND (SELECT count(*) FROM oldest)',
    replace: "AND workspace_id < '' AND (SELECT count(*) FROM oldest)",
    tests: ['server/platform/dispatch/dispatcher.test.ts', 'server/engine/queue/claim.test.ts'],
  },
  {
    instead: 'a change while its process is killed, at each place: it is made without the fencing of its worker',
    file: 'server/engine/store/change.ts',
    find: 'if (isCancelled === undefined || !written?.isStored) throw runNotOwnedFailure();',
    replace: 'if (isCancelled === undefined) return;',
    tests: ['server/engine/store/change.test.ts'],
  },
  {
    instead: 'a run whose process is killed three times: a death is not counted',
    file: 'server/engine/queue/lease.ts',
    find: 'deaths = deaths + 1, died_at = now()',
    replace: 'died_at = now()',
    tests: ['server/engine/crashes/crashes.test.ts'],
  },
  {
    instead: 'a killed service in a real start: it is not restarted',
    file: 'server/operate/boot/supervisor.ts',
    find: 'const isFinal = code === 0 || this.isStopping || (code !== null && !this.isEstablished);',
    replace: 'const isFinal = true;',
    tests: ['server/operate/boot/supervisor.test.ts'],
  },
  {
    instead: 'a service whose supervisor is killed, in a real start: it stays alive',
    file: 'server/operate/boot/supervision.ts',
    find: 'if (!lifetime.isEnding) void lifetime.end(0);',
    replace: 'if (lifetime.isEnding) void lifetime.end(0);',
    tests: ['server/operate/boot/supervisor.test.ts'],
  },
  {
    instead: 'LOG_FORMAT=json in a real start: warnings of Node.js are text',
    file: 'server/operate/boot/json-output.ts',
    find: "process.removeAllListeners('warning');",
    replace: '',
    tests: ['server/operate/boot/json-output.test.ts'],
  },
];
