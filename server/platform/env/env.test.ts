import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, readServiceEnv, variablesMarkdownTable } from './env';

const keys = { JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32), MFA_SECRET_KEY: 'm'.repeat(32) };

function complaintsAbout(source: Record<string, string>): string[] {
  try {
    readServiceEnv({ ...keys, ...source });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.complaints;
    throw error;
  }
}

test.each(['/proc', '/proc/1/weft', '/srv/../proc/self'])('a data folder at %s is refused', (folder) => {
  expect(complaintsAbout({ DATA_DIR: folder })).toEqual([expect.stringContaining('DATA_DIR must not be below /proc')]);
});

describe('defaults', () => {
  test('without any configuration it is a development installation on port 8080', () => {
    expect(readServiceEnv(keys)).toMatchObject({
      deploymentEnv: 'development',
      port: 8080,
      host: '127.0.0.1',
      apiBaseUrl: 'http://localhost:8080',
      oauthRedirectUrl: 'http://localhost:8080/oauth/callback',
      databaseUrl: undefined,
      dataDir: '.data',
      role: 'all',
      workerConcurrency: 200,
      rateLimitTier: 'enterprise',
      bcryptCost: 12,
      egressAllowPrivate: true,
      multiTenant: false,
      trustProxy: 0,
      isProduction: false,
    });
  });

  test('depend on the deployment and other variables', () => {
    expect(readServiceEnv({ ...keys, DEPLOYMENT_ENV: 'saas', PORT: '9000' })).toMatchObject({
      host: '0.0.0.0',
      apiBaseUrl: 'http://localhost:9000',
      rateLimitTier: 'free',
      egressAllowPrivate: false,
      multiTenant: true,
    });
    expect(readServiceEnv({ ...keys, API_BASE_URL: 'https://flows.example.com/' })).toMatchObject({
      apiBaseUrl: 'https://flows.example.com',
      oauthRedirectUrl: 'https://flows.example.com/oauth/callback',
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readServiceEnv({ ...keys, PORT: '', DATABASE_URL: '', ADMIN_EMAIL: '' }).port).toBe(8080);
  });
});

test('wrong combinations are refused', () => {
  const complaintsOf = (source: Record<string, string>) => {
    try {
      readServiceEnv({ ...keys, ...source });
      return [];
    } catch (error) {
      return (error as ConfigurationError).complaints;
    }
  };
  expect(complaintsOf({ PORT: '9090', PROBE_PORT: '9090' })).toEqual(['PROBE_PORT must be another port than PORT']);
  expect(complaintsOf({ PROBE_PORT: '8080' })).toEqual(['PROBE_PORT must be another port than PORT']);
  expect(complaintsOf({ EGRESS_PROXY_TRUSTED: 'true' })).toEqual([
    'HTTPS_PROXY must be set together with EGRESS_PROXY_TRUSTED',
  ]);
  expect(complaintsOf({ EGRESS_PROXY_TRUSTED: 'true', HTTPS_PROXY: 'proxy:3128', NO_PROXY: '*' })).toEqual([]);
});

describe('wrong values', () => {
  test.each([
    ['EGRESS_ALLOW', '10.0.0.0/33'],
    ['HTTPS_PROXY', 'ftp://proxy:21'],
    ['EGRESS_PROXY_TRUSTED', 'yes'],
    ['DEPLOYMENT_ENV', 'production'],
    ['PORT', '80a'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['API_BASE_URL', 'flows.example.com'],
    ['API_BASE_URL', 'https://flows.example.com/?a=b'],
    ['DATABASE_URL', 'mysql://localhost/weft'],
    ['ROLE', 'both'],
    ['WORKER_CONCURRENCY', '-1'],
    ['WORKER_CONCURRENCY', '1.5'],
    ['JWT_SECRET', 'short'],
    ['ENCRYPTION_KEY', `${'k'.repeat(32)},short`],
    ['MFA_SECRET_KEY', 'short'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['RATE_LIMIT_TIER', 'gold'],
    ['BCRYPT_COST', '99'],
    ['EGRESS_ALLOW_PRIVATE', 'yes'],
    ['MULTI_TENANT', '1'],
    ['EXECUTION_RETENTION_DAYS', '0'],
    ['AUDIT_LOG_RETENTION_DAYS', 'never'],
    ['TRUST_PROXY', 'true'],
    ['METRICS_TOKEN', 'short'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is refused by name', (name, value) => {
    const complaints = complaintsAbout({ [name]: value });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(new RegExp(`^${name} must `));
  });

  test('all of them are reported at once', () => {
    expect(complaintsAbout({ PORT: 'x', ROLE: 'y' }).map((line) => line.split(' ')[0])).toEqual(['PORT', 'ROLE']);
  });

  test('a message never repeats a secret', () => {
    expect(
      complaintsAbout({ JWT_SECRET: 'hunter2', ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'hunter2' }).join(),
    ).not.toContain('hunter2');
  });

  test('the first owner needs both email and password', () => {
    expect(complaintsAbout({ ADMIN_EMAIL: 'a@b.example' })).toEqual([
      'ADMIN_PASSWORD must be set together with ADMIN_EMAIL',
    ]);
    expect(complaintsAbout({ ADMIN_PASSWORD: 'long enough to pass' })).toEqual([
      'ADMIN_EMAIL must be set together with ADMIN_PASSWORD',
    ]);
  });

  test('a storage needs a bucket, an http endpoint and its keys', () => {
    expect(complaintsAbout({ FILES_URL: 's3://bucket' })).toEqual([
      'FILES_ACCESS_KEY_ID must be set together with FILES_URL',
      'FILES_SECRET_ACCESS_KEY must be set together with FILES_URL',
    ]);
    const storageKeys = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'key' };
    for (const FILES_URL of ['/files', 'https://x', 's3://', 's3://bucket?endpoint=x', 's3://b?endpoint=ftp://x']) {
      expect(complaintsAbout({ ...storageKeys, FILES_URL }), FILES_URL).toEqual([
        expect.stringMatching(/^FILES_URL must /),
      ]);
    }
    const env = readServiceEnv({
      ...keys,
      ...storageKeys,
      FILES_URL: 's3://b/p?endpoint=http://127.0.0.1:9000&region=x',
    });
    expect(env.filesAccessKeyId).toBe('id');
  });

  test('the email of the first owner is stored in lower case', () => {
    const env = readServiceEnv({ ...keys, ADMIN_EMAIL: 'Ada@Example.com', ADMIN_PASSWORD: 'long enough to pass' });
    expect(env.adminEmail).toBe('ada@example.com');
  });
});

describe('keys', () => {
  test('several encryption keys are read newest first', () => {
    const newest = 'n'.repeat(32);
    expect(readServiceEnv({ ...keys, ENCRYPTION_KEY: `${newest}, ${keys.ENCRYPTION_KEY}` }).encryptionKeys).toEqual([
      newest,
      keys.ENCRYPTION_KEY,
    ]);
  });

  test('a signing secret of an installation with one secret stays valid, commas included', () => {
    const [one, two] = ['a'.repeat(32), 'b'.repeat(32)];
    const secretsOf = (JWT_SECRET: string) => {
      const { jwtSecret, oldJwtSecrets } = readServiceEnv({ ...keys, JWT_SECRET });
      return [jwtSecret, ...oldJwtSecrets];
    };
    expect(secretsOf(one)).toEqual([one]);
    expect(secretsOf(`${one},x`)).toEqual([`${one},x`]);
    expect(secretsOf(`${one}, ${two}`)).toEqual([one, two, `${one}, ${two}`]);
  });

  test('missing keys are generated, configured keys stay', () => {
    const make = vi.fn(() => ({ ...keys, JWT_SECRET: 'x'.repeat(32) }));
    const env = readServiceEnv({ JWT_SECRET: keys.JWT_SECRET, DATA_DIR: '/somewhere' }, make);
    expect(make).toHaveBeenCalledExactlyOnceWith('/somewhere');
    expect(env).toMatchObject({ jwtSecret: keys.JWT_SECRET, encryptionKeys: [keys.ENCRYPTION_KEY] });
  });

  test('saas refuses to generate keys', () => {
    const make = vi.fn(() => keys);
    expect(() => readServiceEnv({ DEPLOYMENT_ENV: 'saas' }, make)).toThrow(
      /JWT_SECRET must be set\nENCRYPTION_KEY must be set/,
    );
    expect(make).not.toHaveBeenCalled();
  });

  test('no keys are generated while other variables are wrong', () => {
    const make = vi.fn(() => keys);
    expect(() => readServiceEnv({ PORT: 'x' }, make)).toThrow(ConfigurationError);
    expect(make).not.toHaveBeenCalled();
  });
});

test('docs/operate/configuration.md has the table of variables as it is now (npm run docs:env writes it)', () => {
  expect(readFileSync('docs/operate/configuration.md', 'utf8')).toContain(
    `<!-- env:start -->\n${variablesMarkdownTable()}\n<!-- env:end -->`,
  );
});
