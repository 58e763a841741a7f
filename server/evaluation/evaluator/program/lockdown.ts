import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';

/**
 * Functions that no version of the permission model closes, or only newer ones: signals to the service, identity of the
 * process, native code.
 */
const CLOSED_PROCESS_NAMES = [
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

/** The module is loaded only so that its functions can be closed. */
const dgramModule = process.getBuiltinModule('node:dgram');

const CLOSED_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'localStorage', 'sessionStorage'];

type ModuleFunctions = Record<string, unknown>;

/**
 * Replaces a function for good by one that throws. Names that this version does not have are closed as well.
 * Assignments, which modules of Node.js make while they are loaded, have no effect.
 */
function closeFunction(owner: object, name: string): void {
  const closed = () => {
    throw new Error(`${name} is closed in evaluator processes.`);
  };
  Object.defineProperty(owner, name, { get: () => closed, set() {}, configurable: false, enumerable: true });
}

/** Closes all functions of a module. */
function closeModuleFunctions(module: object): void {
  for (const [name, value] of Object.entries(module as ModuleFunctions))
    if (typeof value === 'function') closeFunction(module, name);
}

/** Gives up the permission to use the network, where the permission model knows it. Sockets that are open stay so. */
function dropNetworkPermission(): void {
  const { permission } = process as unknown as { permission?: { drop?: (scope: string) => void } };
  permission?.drop?.('net');
}

/**
 * Closes for the rest of the process what its program does not need and code that has left its sandbox could use: the
 * network, signals to other processes, reports, flags of the engine. Clients of HTTP, TLS and HTTP/2 connect by `net`.
 */
export function lockDownProcess(): void {
  dropNetworkPermission();
  for (const name of CLOSED_PROCESS_NAMES) closeFunction(process, name);
  closeModuleFunctions(process.report);
  for (const name of CLOSED_GLOBALS) closeFunction(globalThis, name);
  for (const name of ['connect', 'createConnection', 'createServer', '_createServerHandle', 'BlockList'])
    closeFunction(net, name);
  closeFunction(net.Socket.prototype, 'connect');
  for (const name of ['listen', '_listen2']) closeFunction(net.Server.prototype, name);
  for (const name of ['bind', 'connect', 'send']) closeFunction(dgramModule.Socket.prototype, name);
  closeModuleFunctions(dns.promises);
  closeModuleFunctions(dns);
  closeModuleFunctions(dgramModule);
  closeFunction(os, 'setPriority');
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot', 'takeCoverage'])
    closeFunction(v8, name);
  // Imports of these modules see the same.
  syncBuiltinESMExports();
}
