// Connects an account from a desktop: node examples/connect-desktop.mjs <connector> [name=value …]
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const { WEFT_URL = 'http://localhost:8080', WEFT_EMAIL, WEFT_PASSWORD, PORT = '8090', BROWSER } = process.env;
const [connector, ...pairs] = process.argv.slice(2);
if (!connector || !WEFT_EMAIL || !WEFT_PASSWORD) {
  process.stderr.write('usage: WEFT_EMAIL=… WEFT_PASSWORD=… node connect-desktop.mjs <connector> [name=value …]\n');
  process.exit(2);
}

/** A call of the service; an answer that is no success ends the script with the service's own words. */
async function call(path, body, token) {
  const response = await fetch(`${WEFT_URL}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const details = answer.error.details.map(({ field, message }) => `${field}: ${message}`);
  throw new Error([answer.error.message, ...details].join('\n  '));
}

/** Listens for the browser to come back, `onReady` once it may; answers the code that belongs to our state. */
function callback(state, onReady) {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname !== '/oauth/callback') return response.writeHead(404).end();
      // An answer to another request is refused: only the state of this one counts.
      if (searchParams.get('state') !== state) return response.writeHead(400).end('Invalid state parameter.');
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('You can close this window.');
      server.close();
      const code = searchParams.get('code');
      return code ? resolve(code) : reject(new Error(`The provider said: ${searchParams.get('error') ?? 'nothing'}`));
    });
    server.once('error', reject);
    server.listen(Number(PORT), 'localhost', onReady);
  });
}

function openBrowser(url) {
  const command = BROWSER ?? { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  process.stdout.write(`Open this address if no browser does:\n${url}\n`);
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .once('error', () => undefined)
    .unref();
}

const { accessToken } = await call('/api/auth/login', { email: WEFT_EMAIL, password: WEFT_PASSWORD });
const verifier = randomBytes(96).toString('base64url');
const state = randomUUID();
const { authorization_url } = await call(
  '/api/oauth/authorize-url',
  {
    connector_type: connector,
    code_verifier: verifier,
    state,
    additional_params: Object.fromEntries(pairs.map((pair) => pair.split('='))),
    redirect_uri: `http://localhost:${PORT}/oauth/callback`,
  },
  accessToken,
);
const code = await callback(state, () => openBrowser(authorization_url));
const { credential } = await call(
  '/api/oauth/exchange',
  {
    connector_type: connector,
    code,
    code_verifier: verifier,
    state,
    credential_name: `${connector} (desktop)`,
    created_by: 'desktop',
  },
  accessToken,
);
process.stdout.write(`Connected: ${credential.id}\n`);
