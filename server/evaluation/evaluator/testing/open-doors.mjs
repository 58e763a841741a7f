// Runs in an evaluator process before its program, and tries from there, once the program has started, what code
// outside a sandbox could do. Prints the ways that are open.
/** @type {Record<string, () => unknown>} */
const DOORS = {
  'a file': async () => (await import('node:fs')).readFileSync('/etc/passwd').length,
  'a file by /proc/self': async () => (await import('node:fs')).readFileSync('/proc/self/root/etc/passwd').length,
  'a file by the service': async () =>
    (await import('node:fs')).readFileSync(`/proc/${process.ppid}/root/etc/passwd`).length,
  'the environment of the service': async () =>
    (await import('node:fs')).readFileSync(`/proc/${process.ppid}/environ`).length,
  'the arguments of the service': async () =>
    (await import('node:fs')).readFileSync(`/proc/${process.ppid}/cmdline`).length,
  'the folder by /proc/self': async () => (await import('node:fs')).readdirSync('/proc/self/cwd').length,
  'its own environment': () => {
    if (Object.keys(process.env).length === 0) throw new Error('empty');
  },
  'a blob': async () => (await (await import('node:fs')).openAsBlob('/etc/passwd')).text(),
  'a file of variables': () => process.loadEnvFile('/etc/os-release'),
  writing: async () => (await import('node:fs')).writeFileSync('dist/probe.txt', 'x'),
  'a child process': async () => (await import('node:child_process')).execFileSync('/bin/true'),
  'a cluster': async () => (await import('node:cluster')).default.fork(),
  'a thread': async () => new (await import('node:worker_threads')).Worker('0', { eval: true }),
  'SQLite in memory': async () => new (await import('node:sqlite')).DatabaseSync(':memory:'),
  'SQLite in a file': async () =>
    new (await import('node:sqlite')).DatabaseSync('dist/probe.db').exec('CREATE TABLE a (b)'),
  'a signal': () => process.kill(process.ppid, 0),
  'a signal by the function below': () => process._kill(process.ppid, 0),
  'the debugger of another process': () => process._debugProcess(process.ppid),
  'a priority': async () => (await import('node:os')).setPriority(process.ppid, 10),
  'native code': () => process.dlopen({ exports: {} }, 'probe.node'),
  bindings: () => process.binding('fs'),
  'bindings of processes': () => process.binding('spawn_sync'),
  'modules by name': () => process.getBuiltinModule('node:net'),
  'another program': () => process.execve('/bin/true', ['true'], {}),
  inspector: async () => (await import('node:inspector')).open(0),
  'a session of the inspector': async () => new (await import('node:inspector')).Session().connect(),
  'WebAssembly with files': async () =>
    new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
  'foreign functions': () => import('node:ffi'),
  'local storage': () => globalThis.localStorage.setItem('a', 'b'),
  'a report in a file': () => process.report.writeReport('probe.json'),
  'a report': () => process.report.getReport(),
  'a snapshot of the heap': async () => (await import('node:v8')).writeHeapSnapshot('probe.heapsnapshot'),
  'flags of the engine': async () => (await import('node:v8')).setFlagsFromString('--expose-gc'),
  'another folder': () => process.chdir('/'),
  'hooks of modules': async () => (await import('node:module')).register('data:text/javascript,export {}'),
  'a server': async () => settled((await import('node:net')).createServer(), (server) => server.listen(0)),
  'a server of its class': async () => settled(new (await import('node:net')).Server(), (server) => server.listen(0)),
  'a server of HTTP': async () => settled((await import('node:http')).createServer(), (server) => server.listen(0)),
  'a connection': async () => settled((await import('node:net')).connect(1, '127.0.0.1')),
  'a connection of its class': async () =>
    settled(new (await import('node:net')).Socket(), (socket) => socket.connect(1, '127.0.0.1')),
  'a connection by TLS': async () => settled((await import('node:tls')).connect(1, '127.0.0.1')),
  'a connection by HTTP': async () => settled((await import('node:http')).get('http://127.0.0.1:1')),
  'a connection by HTTP/2': async () => settled((await import('node:http2')).connect('http://127.0.0.1:1')),
  'a socket of the machine': async () => settled((await import('node:net')).connect('/tmp/probe.sock')),
  fetch: () => fetch('http://127.0.0.1:1'),
  'a web socket': () => new WebSocket('ws://127.0.0.1:1'),
  datagrams: async () => settled((await import('node:dgram')).createSocket('udp4'), (socket) => socket.bind(0)),
  'the class of datagrams': async () =>
    settled(new (await import('node:dgram')).Socket('udp4'), (socket) => socket.bind(0)),
  names: async () => (await import('node:dns/promises')).lookup('localhost'),
  'names by callback': async () => (await import('node:dns')).lookup('localhost', () => undefined),
  'a name server': async () => {
    const { Resolver } = (await import('node:dns')).promises;
    const resolver = new Resolver({ timeout: 100, tries: 1 });
    resolver.setServers(['127.0.0.1:9']);
    return resolver.resolve4('a.example').catch((error) => {
      if (error.code === 'ERR_ACCESS_DENIED') throw error;
    });
  },
};

/** Whether something that tells by events was permitted: also a connection that nobody takes. */
const settled = (emitter, begin = () => undefined) =>
  new Promise((resolve, reject) => {
    emitter.on('error', (error) =>
      /ACCESS|closed/.test(`${error.code} ${error.message}`) ? reject(error) : resolve(),
    );
    for (const event of ['listening', 'connect']) emitter.on(event, resolve);
    begin(emitter);
  });

const LONGEST_MS = 3000;

async function isOpen(enter) {
  const over = new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), LONGEST_MS));
  await Promise.race([enter(), over]);
}

/** The program has closed what it closes after this time. */
setTimeout(async () => {
  const open = {};
  for (const [name, enter] of Object.entries(DOORS)) {
    await isOpen(enter).then(
      (value) => (open[name] = String(value)),
      () => undefined,
    );
  }
  const { writeSync } = await import('node:fs');
  writeSync(1, `\n${JSON.stringify(open)}\n`);
  process.exit(0);
}, 1500);
