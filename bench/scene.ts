import { startCluster, type Cluster } from '../server/testing/cluster';
import { chainOf, Ground, NEIGHBOUR, type Shape } from './ground';
import { flood, send, type Verification } from './load';
import { freePort, startProgram, type Program } from './program';

export type Figures = Record<string, number>;

/** Evaluator processes have ended by then, and memory that is not needed went back to the system. */
const REST_MS = 75_000;

/** Programs that run in turns on one PostgreSQL, each with its own database. Units: per second, milliseconds, MiB. */
export class Scene {
  private readonly programs = new Set<Program>();

  private constructor(private readonly cluster: Cluster) {}

  static async open(): Promise<Scene> {
    // Durable settings, as in production: the benchmark measures commits that survive a power cut.
    return new Scene(await startCluster({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.programs].map((program) => program.stop()));
    await this.cluster.remove();
  }

  /** Webhooks over `connections` connections until all their runs have ended. */
  webhooks(args: string[], connections: number, requests: number, verification?: Verification): Promise<Figures> {
    return this.on(chainOf(3, verification), async (ground) => {
      const program = await this.start(args, ground);
      return this.load(ground, [program], connections, requests);
    });
  }

  /** Webhooks of a workflow of these nodes, by one process per role. */
  responses(args: string[], shape: Shape, connections: number, requests: number, roles = ['all']): Promise<Figures> {
    return this.on(shape, async (ground) => {
      const programs = await Promise.all(roles.map((ROLE) => this.start(args, ground, { ROLE })));
      return this.load(ground, programs, connections, requests);
    });
  }

  /** Webhooks to one web process and several worker processes. */
  fleet(
    args: string[],
    parameters: { workers: number; connections: number; requests: number; env?: Record<string, string> },
  ): Promise<Figures> {
    return this.on(chainOf(3), async (ground) => {
      const roles = ['web', ...Array.from({ length: parameters.workers }, () => 'worker')];
      const programs = await Promise.all(roles.map((ROLE) => this.start(args, ground, { ...parameters.env, ROLE })));
      return this.load(ground, programs, parameters.connections, parameters.requests);
    });
  }

  /** A backlog that exists before the programs start; timed from the start of its first node. */
  backlog(args: string[], count: number, { nodes = 3 } = {}): Promise<Figures> {
    return this.on(chainOf(nodes), async (ground) => {
      await ground.pile(count);
      const databaseCpu = ground.databaseCpu();
      const program = await this.start(args, ground);
      await ground.drained();
      return {
        perSecond: await ground.drainRate(),
        cpuSeconds: program.cpuSeconds(),
        databaseCpuSeconds: ground.databaseCpu() - databaseCpu,
        memoryMiB: program.memory(),
      };
    });
  }

  /** A backlog that arrives while all workers are running, so that start-up time does not count. */
  shared(args: string[], count: number, workers: number): Promise<Figures> {
    return this.on(chainOf(3), async (ground) => {
      const roles = Array.from({ length: workers }, (_, index) => (index === 0 ? 'all' : 'worker'));
      const programs = await Promise.all(roles.map((ROLE) => this.start(args, ground, { ROLE })));
      const cpu = () => programs.reduce((sum, program) => sum + program.cpuSeconds(), 0);
      await ground.pile(Math.ceil(count / 4));
      await ground.drained();
      const [cpuBefore, databaseBefore] = [cpu(), ground.databaseCpu()];
      await ground.pile(count);
      await ground.drained();
      return {
        perSecond: await ground.drainRate(),
        cpuMsPerRun: ((cpu() - cpuBefore) * 1000) / count,
        databaseCpuMsPerRun: ((ground.databaseCpu() - databaseBefore) * 1000) / count,
      };
    });
  }

  /** One run at a time: from sending the webhook to the commit of its end. */
  alone(args: string[], count: number): Promise<number[]> {
    return this.on(chainOf(3), async (ground) => {
      await this.start(args, ground);
      const times: number[] = [];
      for (let run = 0; run < count; run += 1) times.push(await ground.roundTrip());
      return times.slice(Math.floor(count / 5));
    });
  }

  /**
   * Latency of one workspace's webhooks, one at a time, beside the load of another workspace; milliseconds. One process
   * per role.
   */
  beside(args: string[], count: number, trouble: 'nothing' | 'backlog' | 'flood', roles: string[]): Promise<Figures> {
    return this.on(chainOf(3), async (ground) => {
      await Promise.all(roles.map((ROLE) => this.start(args, ground, { ROLE })));
      await ground.load(10, count);
      if (trouble === 'backlog') await ground.pile(50_000, NEIGHBOUR);
      const flooding = trouble === 'flood' ? flood(ground.target(NEIGHBOUR), 50) : undefined;
      const { answer } = await ground.load(1, count);
      await ground.drained();
      const completion = await ground.completion(count);
      const posted = await flooding?.stop();
      return { answerP50: answer.p50, answerP99: answer.p99, completionP99: completion.p99, ...(posted && { posted }) };
    });
  }

  /**
   * Memory of a program that has nothing to do: a minute after its start, and a minute after a load that needs
   * evaluator processes, too.
   */
  idle(args: string[], requests: number): Promise<Figures> {
    const shape: Shape = { types: ['start', 'transform', 'code'], response: 'accepted' };
    return this.on(shape, async (ground) => {
      const program = await this.start(args, ground);
      const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS));
      await rest();
      const idleMiB = program.memory();
      await ground.load(10, requests);
      await ground.drained();
      const loadedMiB = program.memory();
      await rest();
      return { idleMiB, loadedMiB, restingMiB: program.memory() };
    });
  }

  /** Answers to requests without any work. */
  answers(args: string[], connections: number, requests: number): Promise<Figures> {
    return this.on(chainOf(3), async (ground) => {
      const program = await this.start(args, ground);
      const request = { origin: ground.origin, path: '/healthz', method: 'GET' } as const;
      await send(request, 200, connections, Math.ceil(requests / 10));
      const cpu = program.cpuSeconds();
      const { seconds, answer } = await send(request, 200, connections, requests);
      const cpuMsPerRequest = ((program.cpuSeconds() - cpu) * 1000) / requests;
      return { perSecond: requests / seconds, answerP50: answer.p50, answerP99: answer.p99, cpuMsPerRequest };
    });
  }

  private async load(ground: Ground, programs: Program[], connections: number, requests: number): Promise<Figures> {
    // Warm-up: the benchmark measures a service that has compiled its code and filled its caches.
    await ground.load(connections, Math.ceil(requests / 4));
    await ground.drained();
    const cpu = () => programs.reduce((sum, program) => sum + program.cpuSeconds(), 0);
    const [cpuBefore, databaseBefore] = [cpu(), ground.databaseCpu()];
    const startedAt = performance.now();
    const sent = await ground.load(connections, requests);
    await ground.drained();
    const seconds = (performance.now() - startedAt) / 1000;
    const completion = await ground.completion(requests);
    return {
      perSecond: requests / seconds,
      answerP50: sent.answer.p50,
      answerP99: sent.answer.p99,
      completionP50: completion.p50,
      completionP99: completion.p99,
      cpuMsPerRun: ((cpu() - cpuBefore) * 1000) / requests,
      databaseCpuMsPerRun: ((ground.databaseCpu() - databaseBefore) * 1000) / requests,
      memoryMiB: programs[0]?.memory() ?? Number.NaN,
    };
  }

  private async start(args: string[], ground: Ground, env: Record<string, string> = {}): Promise<Program> {
    const program = await startProgram(args, { ...ground.environment, ...env });
    this.programs.add(program);
    return program;
  }

  /** Runs `work` on a fresh database, then stops the programs that it started. */
  private async on<T>(shape: Shape, work: (ground: Ground) => Promise<T>): Promise<T> {
    const ground = await Ground.lay(this.cluster, shape, await freePort());
    try {
      return await work(ground);
    } finally {
      await Promise.all([...this.programs].map((program) => program.stop()));
      this.programs.clear();
      await ground.clear();
    }
  }
}
