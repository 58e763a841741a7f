const probeResultSchema = { type: 'string', enum: ['ok', 'failed'] };

const readinessSchema = {
  type: 'object',
  required: ['status'],
  description: 'The state of the process.',
  properties: {
    status: {
      type: 'string',
      enum: ['ok', 'failed', 'stopping'],
      description: '`stopping`: it finishes its requests.',
    },
    checks: {
      type: 'object',
      description: 'Whether the database accepts writes, the queue can be read, and files can be received.',
      properties: {
        database: { ...probeResultSchema, description: 'Whether it accepts writes.' },
        queue: { ...probeResultSchema, description: 'Whether it can be read.' },
        files: { ...probeResultSchema, description: 'The folder of files.' },
      },
    },
    reasons: {
      type: 'object',
      description: 'Why checks failed, for operators.',
      additionalProperties: { type: 'string' },
    },
  },
};

const describeProbe = (operationId: string, summary: string, description: string, responses: object) => ({
  get: {
    operationId,
    summary,
    description,
    tags: ['Health'],
    'x-permission': 'public',
    security: [],
    parameters: [],
    responses: { ...responses, 405: { $ref: '#/components/responses/METHOD_NOT_ALLOWED' } },
  },
});

const jsonProbeResponse = (description: string, schema: object, example: object) => ({
  description,
  content: { 'application/json': { schema, example } },
});

const ALL_CHECKS_OK = { database: 'ok', queue: 'ok', files: 'ok' };

/** Addresses for health checks, monitoring and reports, which are not operations. */
export const PROBE_PATHS = {
  '/healthz': describeProbe('health.live', 'Whether the process is up', 'Takes no token.', {
    200: jsonProbeResponse(
      'The process is up.',
      {
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: ['ok'], description: 'ok' } },
      },
      { status: 'ok' },
    ),
  }),
  '/readyz': describeProbe(
    'health.ready',
    'Whether the process takes requests',
    'For load balancers: 503 while the process stops, the database refuses writes outside of maintenance, or the folder of files takes none. Takes no token.',
    {
      200: jsonProbeResponse('It does.', readinessSchema, { status: 'ok', checks: ALL_CHECKS_OK }),
      503: jsonProbeResponse('It does not.', readinessSchema, {
        status: 'failed',
        checks: { ...ALL_CHECKS_OK, database: 'failed' },
        reasons: { database: 'the database is read-only' },
      }),
    },
  ),
  '/metrics': describeProbe(
    'health.metrics',
    'Metrics in the format of Prometheus',
    'Takes `METRICS_TOKEN` as a bearer token, or calls from the machine itself.',
    {
      200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } },
      401: { $ref: '#/components/responses/UNAUTHORIZED' },
      503: { $ref: '#/components/responses/UNAVAILABLE' },
    },
  ),
  '/.well-known/security.txt': describeProbe(
    'health.security',
    'Where to report vulnerabilities',
    'As RFC 9116 has it, from `SECURITY_CONTACT`. Takes no token.',
    {
      200: { description: 'The contact.', content: { 'text/plain': { schema: { type: 'string' } } } },
      404: { $ref: '#/components/responses/NOT_FOUND' },
    },
  ),
};
