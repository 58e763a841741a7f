#!/usr/bin/env node
// Prisma's commands talk to a native schema engine that they would download at first use. This one speaks the same
// JSON-RPC over stdio and needs no network: the engine's WebAssembly build over the PostgreSQL driver.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MigrationAdapter, administer, connectionOf } from './offline-adapter.mjs';

const { datamodels, url, command } = readArguments(process.argv.slice(2));
const database = url && connectionOf(url).database;

if (command) {
  // The command line reads a line of log first, then the error's JSON.
  process.stderr.write('\n');
  try {
    if (command === 'can-connect-to-database') await administer(url, 'SELECT 1', database);
    else if (command === 'create-database') await administer(url, `CREATE DATABASE "${database}"`);
    else if (command === 'drop-database') await administer(url, `DROP DATABASE "${database}" WITH (FORCE)`);
    else throw new Error(`unknown command ${command}`);
    process.exit(0);
  } catch (error) {
    const code = { '3D000': 'P1003', '28P01': 'P1000' }[error.code] ?? 'P1001';
    const fields = { message: error.message, error_code: code, is_panic: false };
    const line = { timestamp: new Date().toISOString(), level: 'ERROR', fields, target: 'schema_engine::logger' };
    process.stderr.write(`${JSON.stringify(line)}\n`);
    process.exit(1);
  }
}

const factory = new MigrationAdapter(url);
let loading;
let answered = Promise.resolve();
let printed = 0;
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  if (!line.trim()) return;
  const request = JSON.parse(line);
  // Answers to our own `print` requests have no method.
  if (request.method) answered = answered.then(() => answer(request)).then(() => factory.dropShadows());
});
input.on('close', () => answered.then(() => process.exit(0)));

async function answer({ id, method, params }) {
  try {
    const result = await perform(method, params ?? undefined);
    if (method === 'diff' && result.stdout != null) {
      printed += 1;
      send({ id: `print-${printed}`, method: 'print', params: { content: result.stdout } });
      result.stdout = null;
    }
    send({ id, result });
  } catch (error) {
    const data = {
      is_panic: false,
      message: error?.message ?? String(error),
      meta: null,
      error_code: error?.code ?? null,
    };
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } });
  }
}

async function perform(method, params) {
  if (method === 'createDatabase') {
    await administer(url, `CREATE DATABASE "${database}"`).catch((error) => {
      if (error.code !== '42P04') throw error;
    });
    return { databaseName: database };
  }
  loading ??= loadEngine();
  const engine = await loading;
  // These two read a schema cache that only a run over a shadow database fills.
  if (method === 'evaluateDataLoss' || method === 'createMigration') {
    await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
  }
  const name = method === 'getDatabaseVersion' ? 'version' : method;
  if (typeof engine[name] !== 'function') throw new Error(`the method ${method} is not supported`);
  return (await engine[name](params)) ?? {};
}

async function loadEngine() {
  // Without this registry a panic of the engine shows no text.
  let panic = '';
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message(message) {
      panic = message;
      process.stderr.write(`${message}\n`);
    },
    get_message: () => panic,
  };
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { './schema_engine_bg.js': engineModule });
  engineModule.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const ignoreLog = () => undefined;
  return engineModule.SchemaEngine.new(
    { datamodels: datamodels.length > 0 ? datamodels : undefined },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

function readArguments(words) {
  const read = { datamodels: [], url: undefined, command: undefined };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word.startsWith('--') && word !== 'cli') continue;
    index += 1;
    if (word === '--datamodels') read.datamodels.push([words[index], readFileSync(words[index], 'utf8')]);
    else if (word === '--datasource') read.url = JSON.parse(words[index]).url;
    else if (word === 'cli') read.command = words[index];
  }
  return read;
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
