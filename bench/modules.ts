// `npm run bench:modules`: what each library costs a process that loads it, in a process of its own: memory after a
// garbage collection, and processor time. The median of three.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const TURNS = 3;

/** What a service loads at its start; then what it loads when it is used. */
const LIBRARIES = {
  'at the start': [
    ['zod'],
    ['next'],
    ['pg', 'pg-cursor'],
    ['@prisma/client/runtime/client', '@prisma/adapter-pg'],
    ['undici'],
    ['socket.io', 'ws'],
    ['next-auth/jwt', 'jose'],
    ['jsonata', 're2js', '@eslint-community/regexpp'],
    ['pino'],
    ['@trpc/server', '@trpc/server/adapters/fetch'],
    ['@node-rs/bcrypt'],
  ],
  'when used': [
    ['@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai-compatible'],
    ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/streamableHttp.js'],
    ['@modelcontextprotocol/sdk/server/index.js', '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'],
    ['@node-saml/node-saml', '@xmldom/xmldom'],
    ['openid-client'],
    ['imapflow'],
    ['nodemailer'],
    ['ssh2'],
    ['basic-ftp'],
    ['mysql2'],
    ['ioredis'],
    ['bullmq'],
    ['@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-proto'],
    ['prom-client'],
    ['unpdf'],
    ['csv-parse'],
    ['otplib', 'qrcode'],
    ['marked'],
    ['selfsigned'],
  ],
};

/** Runs in the measured process. What the first import loads of Node.js itself does not count. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  await import('node:http'); await import('node:crypto'); await import('node:tls');
  const memory = () => { gc(); return Number(/^Private_Dirty:\\s+(\\d+)/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))[1]); };
  const before = memory();
  const clock = process.cpuUsage();
  for (const name of process.argv.slice(1)) await import(name);
  const { user, system } = process.cpuUsage(clock);
  console.log(JSON.stringify([(memory() - before) / 1024, (user + system) / 1000]));
`;

function measure(names: string[]): [number, number] {
  const args = ['--expose-gc', '--input-type=module', '-e', PROGRAM, '--', ...names];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as [number, number];
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

for (const [when, groups] of Object.entries(LIBRARIES)) {
  process.stdout.write(`\n| Loaded ${when} | MiB | ms |\n|---|---|---|\n`);
  for (const names of groups) {
    const turns = Array.from({ length: TURNS }, () => measure(names));
    const [mib, ms] = [0, 1].map((at) => median(turns.map((turn) => turn[at] ?? 0)));
    process.stdout.write(`| ${names.join(', ')} | ${mib?.toFixed(1)} | ${ms?.toFixed(0)} |\n`);
  }
}
