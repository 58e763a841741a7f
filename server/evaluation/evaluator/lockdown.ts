import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';

/** What the permission model of no version or of older versions leaves open: signals to the service, identity of the process, native code. */
const OF_PROCESS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'abort',
  'binding',
  '_linkedBinding',
  'chdir',
  'dlopen',
  'execve',
  'getBuiltinModule',
  'initgroups',
  'loadEnvFile',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
  'umask',
];

/** Loaded to be closed, not to be used. */
const dgram = process.getBuiltinModule('node:dgram');

const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'localStorage', 'sessionStorage'];

type Functions = Record<string, unknown>;

/**
 * Replaces a function for good by one that throws. Names that this version does not have are closed as well. Assignments, which modules of
 * Node.js make while they are loaded, have no effect.
 */
function close(owner: object, name: string): void {
  const closed = () => {
    throw new Error(`${name} is closed in evaluator processes.`);
  };
  Object.defineProperty(owner, name, { get: () => closed, set() {}, configurable: false, enumerable: true });
}

/** Closes all functions of a module. */
function closeAll(module: object): void {
  for (const [name, value] of Object.entries(module as Functions)) if (typeof value === 'function') close(module, name);
}

/** Gives up the permission to use the network, where the permission model knows it. Sockets that are open stay so. */
function dropNetwork(): void {
  const { permission } = process as unknown as { permission?: { drop?: (scope: string) => void } };
  permission?.drop?.('net');
}

/**
 * Closes for the rest of the process what its program does not need and code that has left its sandbox could use: the network, signals to other
 * processes, reports, flags of the engine. Clients of HTTP, TLS and HTTP/2 connect by `net`.
 */
export function lockDown(): void {
  dropNetwork();
  for (const name of OF_PROCESS) close(process, name);
  closeAll(process.report);
  for (const name of GLOBALS) close(globalThis, name);
  for (const name of ['connect', 'createConnection', 'createServer', '_createServerHandle', 'BlockList'])
    close(net, name);
  close(net.Socket.prototype, 'connect');
  for (const name of ['listen', '_listen2']) close(net.Server.prototype, name);
  for (const name of ['bind', 'connect', 'send']) close(dgram.Socket.prototype, name);
  closeAll(dns.promises);
  closeAll(dns);
  closeAll(dgram);
  close(os, 'setPriority');
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot', 'takeCoverage'])
    close(v8, name);
  // Imports of these modules see the same.
  syncBuiltinESMExports();
}
