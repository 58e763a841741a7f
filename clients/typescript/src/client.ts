import { ApiCaller } from './calls.js';
import { Files } from './files.js';
import { RunMethods } from './runs.js';
import { HttpTransport, type ClientOptions, type Tokens } from './transport.js';
import type { CallOptions, Schemas } from './types.js';
import { WorkflowMethods } from './workflows.js';

export interface SignIn extends Omit<ClientOptions, 'apiKey' | 'tokens'> {
  email: string;
  password: string;
  /** A code of an authenticator app, or a backup code. */
  mfaCode?: string | undefined;
}

export interface RequestOptions extends CallOptions {
  query?: Record<string, string | number | boolean | undefined>;
  /** The body is sent unchanged. */
  body?: string | Blob | Uint8Array<ArrayBuffer>;
  /** Default: `application/json`. */
  contentType?: string;
}

/** A client of one Weft service. */
export class Weft extends ApiCaller {
  readonly workflows: WorkflowMethods;
  readonly runs: RunMethods;
  readonly files: Files;
  readonly #transport: HttpTransport;

  constructor(options: ClientOptions) {
    const transport = new HttpTransport(options);
    super(transport);
    this.#transport = transport;
    this.workflows = new WorkflowMethods(this);
    this.runs = new RunMethods(this, this.#transport);
    this.files = new Files(this, this.#transport);
  }

  /**
   * Signs in with a password. A `WeftError` `UNAUTHORIZED` whose `details[0].field` is `mfaCode` asks for a code of the
   * second factor.
   */
  static async signIn({ email, password, mfaCode, ...options }: SignIn): Promise<Weft> {
    const body = { email, password, ...(mfaCode === undefined ? {} : { mfaCode }) };
    const { accessToken, refreshToken } = await new Weft(options).post('/api/auth/login', { body });
    return new Weft({ ...options, tokens: { accessToken, refreshToken } });
  }

  /** The tokens of a sign-in, renewed ones included. */
  get tokens(): Tokens | undefined {
    return this.#transport.tokens;
  }

  /**
   * Any request, with authentication and retries; its answer, whatever its status. For programs that pass paths on, and
   * for answers that are not JSON. Redirects are not followed.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { body, contentType = 'application/json', ...rest } = options;
    const content = body === undefined ? undefined : { type: contentType, open: () => ({ body }), isRepeatable: true };
    const call = { ...rest, method: method.toUpperCase(), path, content };
    return (await this.#transport.send({ ...call, isTransfer: true, redirect: 'manual' })).response;
  }

  /** The signed-in user and their workspaces. */
  me(options: CallOptions = {}): Promise<Schemas['Me']> {
    return this.get('/api/auth/me', options);
  }
}
